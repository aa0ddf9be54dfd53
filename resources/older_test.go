package resources

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSettingsOfOlderVersionsSayWhatToDo(t *testing.T) {
	key := Key{Kind: Configs, Name: ConfigName}
	for text, older := range map[string]bool{
		`{"version":"1.0.0","governance":{"mode":"strict"},"detection":{}}`: true,
		`{"automation":{"mode":"x"}}`:                                       true,
		`{"version":"1.0.0"}`:                                               false,
		`{"governance":{},"spec":{}}`:                                       false,
		`{"spec":{"governance":{}}}`:                                        false,
	} {
		_, _, err := Decode(key, []byte(text))
		assert.Error(t, err)
		if older {
			assert.ErrorContains(t, err, "idumb migrate", text)
		} else {
			assert.NotContains(t, err.Error(), "idumb migrate", text)
		}
	}
	_, _, err := Decode(Key{Kind: Tasks, Name: "a"}, []byte(`{"governance":{}}`))
	assert.NotContains(t, err.Error(), "idumb migrate")
}
