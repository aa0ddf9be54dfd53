package migrate

import (
	"cmp"
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

// names are the names of one kind: each id has one that nothing else has.
type names struct {
	ids map[string]string // by name
	of  map[string]string // by id
}

// name gives every object its name, before any refers to another. The first choice has what came back, then an id that is a
// name, then another id, then what was made up; the order of the file does not matter.
func (b *Builder) name() {
	for _, k := range resources.Kinds() {
		n := &names{map[string]string{}, map[string]string{}}
		b.names[k.Plural] = n
		list := slices.Clone(b.drafts[k.Plural])
		slices.SortStableFunc(list, func(a, c *Draft) int { return cmp.Or(cmp.Compare(a.rank(), c.rank()), strings.Compare(a.ID, c.ID)) })
		for _, d := range list {
			name := cmp.Or(d.Name, NameOf(d.ID))
			switch {
			case k.Single:
				name = k.Plural
			case k.Plural == resources.Sessions:
				name = resources.NameOfID(d.ID) // as the hook calls it, so that a session that goes on finds itself
			case d.Was == nil && (n.ids[name] != "" || !b.isOurs(resources.Key{Kind: k.Plural, Name: name}, d.ID)):
				taken := name
				name += "-" + DigestOf(d.ID)
				b.report.Trouble(Problem{ID: d.ID, Message: "the name " + k.Plural + "/" + taken + " is taken; it is called " + name})
			}
			n.ids[name], n.of[d.ID], d.Meta().Name = d.ID, name, name
		}
	}
}

// rank orders drafts by who has the first choice of a name.
func (d *Draft) rank() int {
	switch {
	case d.Was != nil:
		return 0
	case d.Name != "":
		return 3
	case NameOf(d.ID) != d.ID:
		return 2
	}
	return 1
}

// isOurs reports whether a name is free, or an earlier conversion gave it to that id.
func (b *Builder) isOurs(key resources.Key, id string) bool {
	o, found := b.get(key)
	return !found || o.Head().Metadata.Annotations[b.prefix+IDKey] == id
}

// wouldBe returns an id's name; for one that nothing has, the name it would have, or another one if that is somebody else's.
func (n *names) wouldBe(id string) string {
	name := NameOf(id)
	if given, ok := n.of[id]; ok {
		return given
	}
	if n.ids[name] != "" {
		name += "-" + DigestOf(id)
	}
	return name
}
