package migrate

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// maxName leaves room for a suffix, ".json" and a digest in what file systems allow.
const maxName = 200

// NameOf returns an id as a name: in lower case, with '-' for what a name cannot have.
func NameOf(id string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '.' {
			return r
		}
		return '-'
	}, strings.ToLower(id))
	name = strings.TrimLeft(name, "-.")
	if name == "" {
		return "issue-" + DigestOf(id)
	}
	if resources.ReservedName(name) {
		name = "issue-" + name
	}
	if len(name) > maxName {
		return name[:maxName] + "-" + DigestOf(id)
	}
	return name
}

// DigestOf tells names apart that would be the same; it depends on the id only, so that
// the same id has the same name in every conversion.
func DigestOf(id string) string {
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:4])
}

// Namer gives each id one name that nothing else has.
type Namer struct {
	kind    string
	isOurs  func(key resources.Key, id string) bool // free, or made by an earlier conversion of that id
	ids     map[string]string                       // by name
	names   map[string]string                       // by id
	trouble func(id, message string)
}

// NewNamer returns a namer for one kind. isOurs reports whether an id may have a name:
// nothing has it, or what has it was made of that id. trouble is told where a name was taken.
func NewNamer(kind string, isOurs func(resources.Key, string) bool, trouble func(id, message string)) *Namer {
	return &Namer{kind: kind, isOurs: isOurs, ids: map[string]string{}, names: map[string]string{}, trouble: trouble}
}

// Give names the ids. Those that are names already have the first choice, the others
// have theirs by id: the order of the file does not matter.
func (n *Namer) Give(ids []string) {
	slices.Sort(ids)
	for _, exact := range []bool{true, false} {
		for _, id := range ids {
			if (NameOf(id) == id) == exact {
				n.Settle(id, NameOf(id))
			}
		}
	}
}

// Take gives an id the name of an object that came back.
func (n *Namer) Take(id, name string) { n.ids[name], n.names[id] = id, name }

// Settle gives an id the name that it wants, or one with a digest.
func (n *Namer) Settle(id, wanted string) string {
	name := wanted
	if _, taken := n.ids[name]; taken || !n.isOurs(resources.Key{Kind: n.kind, Name: name}, id) {
		name = wanted + "-" + DigestOf(id)
		n.trouble(id, "the name "+n.kind+"/"+wanted+" is taken; it is called "+name)
	}
	n.ids[name], n.names[id] = id, name
	return name
}

// Of returns an id's name; for one that was not given any, the name it would have, or
// one that nothing has if that is somebody else's.
func (n *Namer) Of(id string) string {
	if name, ok := n.names[id]; ok {
		return name
	}
	if _, taken := n.ids[NameOf(id)]; taken {
		return NameOf(id) + "-" + DigestOf(id)
	}
	return NameOf(id)
}
