package queries

import (
	"net/url"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// NamesOf returns the names of a kind's objects that begin with a prefix,
// optionally only in certain phases (phase). Without a controller, clients
// complete names from the files.
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
