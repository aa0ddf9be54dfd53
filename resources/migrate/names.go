package migrate

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"path"
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

// name gives every object its name, before any refers to another. The first choice has what came back, then an id that is a
// name, then another id, then what was made up; the order of the file does not matter.
func (b *Builder) name() {
	for _, k := range resources.Kinds() {
		taken := map[string]bool{}
		b.taken[k.Plural] = taken
		list := slices.Clone(b.drafts[k.Plural])
		slices.SortStableFunc(list, func(a, c *Draft) int { return cmp.Or(cmp.Compare(a.rank(), c.rank()), strings.Compare(a.ID, c.ID)) })
		for _, d := range list {
			name := cmp.Or(d.Name, NameOf(d.ID))
			switch {
			case k.Single:
				name = k.Plural
			case k.Plural == resources.Sessions:
				name = resources.NameOfID(d.ID) // as the hook calls it, so that a session that goes on finds itself
			case d.Was == nil && (taken[name] || !b.isOurs(resources.Key{Kind: k.Plural, Name: name}, d.ID)):
				called := name + "-" + DigestOf(d.ID)
				b.Report.Trouble(Problem{ID: d.ID, Message: "the name " + k.Plural + "/" + name + " is taken; it is called " + called})
				name = called
			}
			taken[name], d.Meta().Name = true, name
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
	o, found := b.Get(key)
	return !found || o.Head().Metadata.Annotations[b.prefix+IDKey] == id
}

// wouldBe returns the name that an id which nothing has would have, or another one if that is somebody else's.
func (b *Builder) wouldBe(kind, id string) string {
	name := NameOf(id)
	if b.taken[kind][name] {
		name += "-" + DigestOf(id)
	}
	return name
}

// Prefix begins the labels and annotations that a conversion of a format sets: "beads.idumb.dev/".
func Prefix(format string) string { return format + "." + resources.Group + "/" }

// IDKey names, behind the prefix, the annotation with the id that a record has in its source.
const IDKey = "id"

// maxValue is the longest label, and the longest name of a label or annotation behind
// its prefix, as in Kubernetes.
const maxValue = 63

// KeyOf returns a field's name as the part of a key behind the prefix: what was cut off or
// replaced is told apart by a digest.
func KeyOf(field string) string {
	key := strings.Trim(mapped(field, func(r rune) bool { return isLabelRune(r) && r != '_' }), "-.")
	if strings.ReplaceAll(field, "_", "-") == key && len(key) <= maxValue {
		return key
	}
	return strings.Trim(key[:min(len(key), maxValue-9)]+"-"+DigestOf(field), "-.")
}

// LabelValue returns text as a label's value.
func LabelValue(text string) string {
	value := mapped(text, isLabelRune)
	return strings.Trim(value[:min(len(value), maxValue)], "-._")
}

// IsLabelValue reports whether text can be a label's value, or the name of one without a
// prefix: Kubernetes' rule.
func IsLabelValue(text string) bool { return LabelValue(text) == text }

func isLabelRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.'
}

// mapped puts '-' in the place of each rune that is not allowed.
func mapped(text string, allowed func(rune) bool) string {
	return strings.Map(func(r rune) rune {
		if allowed(r) {
			return r
		}
		return '-'
	}, text)
}

// keptPath is the name under which a file of a source is kept.
func keptPath(format string, f File) string {
	parts := strings.Split(f.Path, "/")
	for i, part := range parts {
		parts[i] = safeName(part)
	}
	return path.Join(format, path.Join(parts...)) + "-" + DigestOf(string(f.Data)) + extension(f.Path)
}

// safeName keeps of a file's name what every file system bears and nothing takes for a command.
func safeName(name string) string {
	safe := strings.TrimLeft(mapped(name, isLabelRune), ".-")
	if safe == "" {
		return "file"
	}
	return safe[:min(len(safe), 100)]
}

// extension is how a file's name ends, of what is safe in a name.
func extension(file string) string {
	end := path.Ext(file)
	if end == "" || len(end) > 12 {
		return ""
	}
	return "." + safeName(end[1:])
}
