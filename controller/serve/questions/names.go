package questions

import (
	"net/url"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// NamesOf answers how the objects of a kind are called that begin with a prefix. Where nobody
// answers, the names of the files tell it.
func NamesOf(s Source, v url.Values) ([]string, error) {
	names := []string{}
	for _, key := range s.List(v.Get("kind")) {
		if strings.HasPrefix(key.Name, v.Get("prefix")) && resources.CheckName(key.Name) == nil {
			names = append(names, key.Name)
		}
	}
	return names, nil
}
