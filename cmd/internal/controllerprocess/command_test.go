package controllerprocess

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestMainReadsItsArguments(t *testing.T) {
	empty := t.TempDir()
	for _, test := range []struct {
		name           string
		args           []string
		code           int
		stdout, stderr string
	}{
		{"version", []string{"--version"}, 0, "idumb-controller ", ""},
		{"help", []string{"--help"}, 0, "Usage:", ""},
		{"unknown flag", []string{"--pole", "2s"}, 1, "", "flag provided but not defined: -pole"},
		{"argument", []string{"start"}, 1, "", `unexpected argument "start"`},
		{"no .idumb", []string{"-C", empty}, 1, "", "idumb init"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			assert.Equal(t, test.code, Main(test.args, &stdout, &stderr))
			assert.Contains(t, stdout.String(), test.stdout)
			assert.Contains(t, stderr.String(), test.stderr)
		})
	}
}
