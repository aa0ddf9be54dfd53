package queries

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestMeets(t *testing.T) {
	for _, test := range []struct {
		file, path string
		want       bool
	}{
		{"src/web/a.ts", "src", true}, {"src/web/a.ts", "src/web/a.ts", true}, {"src/web/a.ts", ".", true},
		{"src/webs/a.ts", "src/web", false}, {"src", "src/web", false}, {"", "src", false}, {"", ".", false},
		{"src/**", "src/web", true}, {"src/**", "src/web/a.ts", true}, {"src/*.go", "src/web/a.ts", false},
		{"src/web/*.ts", "src", true}, {"src/{web,api}/**", "src/api", true}, {"src/{web,api}/**", "src/db", false},
	} {
		assert.Equal(t, test.want, pathsMatch(test.file, test.path), "%q at %q", test.file, test.path)
	}
}
