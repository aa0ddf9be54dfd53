package migrate

import (
	"regexp"
	"sync"
)

// Pattern returns a function that compiles a regular expression on first use. Most
// processes never import a format.
func Pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
