package questions

import (
	"net/url"

	"github.com/idumb-dev/idumb/controller/mutate/memory"
)

// ConcernsOf answers which mems and anchors somebody should look at: all of them, or (stale)
// those that nobody stood for lately.
func ConcernsOf(s Source, v url.Values) ([]memory.Concern, error) {
	if v.Has("stale") {
		return memory.Stale(s), nil
	}
	return memory.Review(s), nil
}
