package migrate

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression that is compiled when it is first asked for: most runs read no format at all.
func Pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
