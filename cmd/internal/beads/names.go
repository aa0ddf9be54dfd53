package beads

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// maxName leaves room for "-epic.json" and a digest in what file systems allow.
const maxName = 200

// nameOf returns an id as a name: in lower case, with '-' for what a name cannot have.
func nameOf(id string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '.' {
			return r
		}
		return '-'
	}, strings.ToLower(id))
	name = strings.TrimLeft(name, "-.")
	if name == "" {
		return "issue-" + digestOf(id)
	}
	if len(name) > maxName {
		return name[:maxName] + "-" + digestOf(id)
	}
	return name
}

// digestOf tells names apart that would be the same; it depends on the id only,
// so that the same id has the same name in every import.
func digestOf(id string) string {
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:4])
}

// namer gives each id one name that nothing else has.
type namer struct {
	kind   string
	isOurs func(key resources.Key, id string) bool // free, or made by an earlier import of that id
	ids    map[string]string                       // by name
	names  map[string]string                       // by id
	report *Report
}

func newNamer(kind string, isOurs func(resources.Key, string) bool, r *Report) *namer {
	return &namer{kind: kind, isOurs: isOurs, ids: map[string]string{}, names: map[string]string{}, report: r}
}

// give names the ids. Those that are names already have the first choice, the
// others have theirs by id: the order of the file does not matter.
func (n *namer) give(ids []string) {
	slices.Sort(ids)
	for _, exact := range []bool{true, false} {
		for _, id := range ids {
			if (nameOf(id) == id) == exact {
				n.settle(id, nameOf(id))
			}
		}
	}
}

// settle gives an id the name that it wants, or one with a digest.
func (n *namer) settle(id, wanted string) string {
	name := wanted
	if _, taken := n.ids[name]; taken || !n.isOurs(resources.Key{Kind: n.kind, Name: name}, id) {
		name = wanted + "-" + digestOf(id)
		n.report.problem(0, id, "the name "+n.kind+"/"+wanted+" is taken; it is called "+name)
	}
	n.ids[name], n.names[id] = id, name
	return name
}

// of returns an id's name; for one that is not in the file, the name it would
// have, or one that nothing has if that is somebody else's.
func (n *namer) of(id string) string {
	if name, ok := n.names[id]; ok {
		return name
	}
	if _, taken := n.ids[nameOf(id)]; taken {
		return nameOf(id) + "-" + digestOf(id)
	}
	return nameOf(id)
}
