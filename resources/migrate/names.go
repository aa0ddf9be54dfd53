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

// maxName leaves room for a suffix, ".json" and a digest within the limits of file systems.
const maxName = 200

// NameOf converts an ID to a name: lower case, with '-' for invalid characters.
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

// DigestOf returns a suffix that distinguishes IDs with the same name. It only depends on
// the ID, so that an ID has the same name in every conversion.
func DigestOf(id string) string {
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:4])
}

// name assigns the names of all objects before references are resolved. Exported objects
// have first choice, then IDs that are valid names, then other IDs, then requested names.
// The order of files does not matter.
func (b *Builder) name() {
	for _, k := range resources.Kinds() {
		taken := map[string]bool{}
		b.names[k.Plural] = taken
		list := slices.Clone(b.drafts[k.Plural])
		slices.SortStableFunc(list, func(a, c *Draft) int { return cmp.Or(cmp.Compare(a.rank(), c.rank()), strings.Compare(a.ID, c.ID)) })
		for _, d := range list {
			name := cmp.Or(d.Name, NameOf(d.ID))
			switch {
			case k.Single:
				name = k.Plural
			case k.Plural == resources.Sessions:
				name = resources.NameOfID(d.ID) // the hook uses the same name for the session record
			case d.Was == nil && (taken[name] || !b.isOurs(resources.Key{Kind: k.Plural, Name: name}, d.ID)):
				called := name + "-" + DigestOf(d.ID)
				b.Report.Trouble(Problem{ID: d.ID, Message: "the name " + k.Plural + "/" + name + " is taken; it is called " + called})
				name = called
			}
			taken[name], d.Meta().Name = true, name
		}
	}
}

// rank returns the precedence of a draft in the choice of its name.
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

// isOurs reports whether a name is free, or was given to the ID by an earlier conversion.
func (b *Builder) isOurs(key resources.Key, id string) bool {
	o, found := b.Get(key)
	return !found || o.Head().Metadata.Annotations[b.prefix+IDKey] == id
}

// wouldBe returns a name for an ID without a draft, which no other draft has.
func (b *Builder) wouldBe(kind, id string) string {
	name := NameOf(id)
	if b.names[kind][name] {
		name += "-" + DigestOf(id)
	}
	return name
}

// Prefix returns the prefix of a format's labels and annotations: "beads.idumb.dev/".
func Prefix(format string) string { return format + "." + resources.Group + "/" }

// IDKey is the name, after the prefix, of the annotation with the record's ID in the
// source.
const IDKey = "id"

// maxValue is the maximum length of a label and of the name of a label or annotation
// without its prefix, as in Kubernetes.
const maxValue = 63

// KeyOf converts a field's name to the name of a key without its prefix. If characters were
// replaced or cut off, a digest distinguishes the result.
func KeyOf(field string) string {
	key := strings.Trim(mapped(field, func(r rune) bool { return isLabelRune(r) && r != '_' }), "-.")
	if strings.ReplaceAll(field, "_", "-") == key && len(key) <= maxValue {
		return key
	}
	return strings.Trim(key[:min(len(key), maxValue-9)]+"-"+DigestOf(field), "-.")
}

// LabelValue converts text to a label's value.
func LabelValue(text string) string {
	value := mapped(text, isLabelRune)
	return strings.Trim(value[:min(len(value), maxValue)], "-._")
}

// IsLabelValue reports whether text is valid as a label's value, or as a label's name
// without a prefix, by Kubernetes' rule.
func IsLabelValue(text string) bool { return LabelValue(text) == text }

// isLabelRune reports whether a character may be part of a label.
func isLabelRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.'
}

// mapped replaces each rune that is not allowed with '-'.
func mapped(text string, allowed func(rune) bool) string {
	return strings.Map(func(r rune) rune {
		if allowed(r) {
			return r
		}
		return '-'
	}, text)
}

// keptPath returns the path below archive/unmapped of a source file.
func keptPath(format string, f File) string {
	parts := strings.Split(f.Path, "/")
	for i, part := range parts {
		parts[i] = safeName(part)
	}
	return path.Join(format, path.Join(parts...)) + "-" + DigestOf(string(f.Data)) + extension(f.Path)
}

// safeName returns a file name with characters that are safe on all file systems and in
// shells.
func safeName(name string) string {
	safe := strings.TrimLeft(mapped(name, isLabelRune), ".-")
	if safe == "" {
		return "file"
	}
	return safe[:min(len(safe), 100)]
}

// extension returns the extension of a file with safe characters.
func extension(file string) string {
	end := path.Ext(file)
	if end == "" || len(end) > 12 {
		return ""
	}
	return "." + safeName(end[1:])
}
