package questions

import (
	"net/url"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// NamesOf answers how the objects of a kind are called that begin with a prefix, all or (phase)
// those in one of some phases. Where nobody answers, the names of the files tell the former.
func NamesOf(s *Source, v url.Values) ([]string, error) {
	names, phases := []string{}, v["phase"]
	for _, key := range s.List(v.Get("kind")) {
		if strings.HasPrefix(key.Name, v.Get("prefix")) && resources.CheckName(key.Name) == nil &&
			(len(phases) == 0 || slices.Contains(phases, PhaseOf(s, key))) {
			names = append(names, key.Name)
		}
	}
	return names, nil
}
