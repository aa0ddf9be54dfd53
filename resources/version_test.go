package resources_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

func TestOlderThan(t *testing.T) {
	for _, c := range []struct {
		version, wanted string
		older           bool
	}{
		{"v1.3.9", "1.4.0", true}, {"v1.4.0", "1.4.0", false}, {"v1.10.0", "1.9", false}, {"v0.9.1", "1.0", true}, {"v1.4.0-rc.1", "1.4.0", false},
		{"devel", "1.0.0", false}, {"(devel)", "1.0.0", false}, {"unknown", "1.0.0", false}, {"devel-0123456789ab", "1.0.0", false}, {"v0.0.0-20261121075000-0123456789ab", "1.0.0", false},
		{"(unknown)", "1.0.0", false}, {"", "1.0.0", false}, {"v1.0.0", "", false}, {"v1.0.0", "soon", false},
	} {
		assert.Equal(t, c.older, resources.OlderThan(c.version, c.wanted), "%s, wanted %s", c.version, c.wanted)
	}
}

func TestMinVersionCanBeReadWhateverElseStandsThere(t *testing.T) {
	key := resources.Key{Kind: resources.Configs, Name: resources.ConfigName}
	text := []byte(`{"spec": {"mode": "lenient", "minVersion": "2.0.0"}}`)
	_, _, err := resources.Read(key, text)
	require.Error(t, err)
	assert.Equal(t, "2.0.0", resources.MinVersion(text))
	for _, none := range []string{`{}`, `{"spec": {"minVersion": 2}}`, `{"spec": {"minVersion": `, ``} {
		assert.Empty(t, resources.MinVersion([]byte(none)), none)
	}
	_, _, err = resources.Read(key, []byte(`{"spec": {"minVersion": "soon"}}`))
	assert.ErrorContains(t, err, `spec.minVersion: Invalid value: "soon": must be a version such as "1.4.0"`)
}
