package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestDays(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{"7d": 7 * 24 * time.Hour, "1d12h": 36 * time.Hour, "90m": 90 * time.Minute, "0": 0, "0d": 0} {
		got, err := days(text)
		assert.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "d", "soon", "1.5d", "-5h", "-1d", "1d1d"} {
		_, err := days(text)
		assert.Error(t, err, text)
	}
	day := duration(24 * time.Hour)
	assert.Equal(t, "1d", day.String())
}
