package headlessagent

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFindings(t *testing.T) {
	for text, want := range map[string][]string{
		"": nil, "  \n": nil, "All is well.": {"All is well."},
		"I looked.\nFINDING: a\nb\nFINDING: c\n\nThat is all.": {"a\nb", "c"},
		"FINDING: \nFINDING: x":                                {"x"}, "no FINDING: here": {"no FINDING: here"},
	} {
		assert.Equal(t, want, findings(text), "%q", text)
	}
	assert.Len(t, findings(strings.Repeat("FINDING: x\n", 50)), maxFindings)
	long := findings(strings.Repeat("ä", maxFinding))[0]
	assert.LessOrEqual(t, len(long), maxFinding+3)
	assert.True(t, utf8.ValidString(long))
}

func TestOnlyAPersonsSettingsAllow(t *testing.T) {
	for text, want := range map[string]string{
		"": "research is off", "{": "no JSON", `{"research": {"hosts": ["claude"]}}`: "research is off", `{"research": {"perDay": 3}}`: "research is off",
		`{"research": {"hosts": ["claude"], "perDay": 3, "timeout": "-1s"}}`: "research.timeout", `{"research": {"hosts": ["claude"], "perDay": 3}}`: "",
	} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, settingsFile), []byte(text), 0o600))
		_, err := Allowed(dir)
		if want == "" {
			assert.NoError(t, err)
			continue
		}
		assert.ErrorContains(t, err, want, text)
		assert.ErrorContains(t, err, dir, text)
	}
	_, err := Allowed("")
	assert.ErrorContains(t, err, "research is off")
}

// Only what was started counts, until the day is over.
func TestADayHasAnEnd(t *testing.T) {
	dir, now := t.TempDir(), time.Date(2026, 11, 26, 23, 0, 0, 0, time.UTC)
	started := 0
	start := func() error { started++; return nil }
	failing := errors.New("no such task")
	require.ErrorIs(t, withDailyLimit(dir, 2, now, func() error { return failing }), failing)
	require.NoError(t, withDailyLimit(dir, 2, now, start))
	require.NoError(t, withDailyLimit(dir, 2, now, start))
	require.ErrorContains(t, withDailyLimit(dir, 2, now, start), "2 of 2")
	require.NoError(t, withDailyLimit(dir, 2, now.Add(2*time.Hour), start))
	assert.Equal(t, 3, started)
	require.NoError(t, os.WriteFile(filepath.Join(dir, countFile), []byte("?"), 0o600))
	assert.ErrorContains(t, withDailyLimit(dir, 2, now, start), "remove "+filepath.Join(dir, countFile))
}
