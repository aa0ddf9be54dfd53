package resources

import (
	"cmp"
	"fmt"
	"strings"
)

// Explain describes a kind or one of its fields in the layout of kubectl explain. path has
// the form "task", "tasks.spec" or "tn.spec.temporalGate". If recursive is true, it also
// lists nested fields, without descriptions. The error lists the existing fields.
func Explain(path string, recursive bool) (string, error) {
	word, rest, _ := strings.Cut(path, ".")
	kind, ok := LookupKind(word)
	if !ok {
		return "", fmt.Errorf("the store doesn't have a resource type %q", word)
	}
	f, missing := kind.follow(rest)
	if missing != "" {
		err := fmt.Errorf("field %q does not exist; %s has: %s", rest, f.Type, cmp.Or(strings.Join(f.FieldNames(), ", "), "no fields"))
		if near := Nearest(missing, f.FieldNames()); near != "" {
			err = fmt.Errorf("%w\nDid you mean %q?", err, near)
		}
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "GROUP:      %s\nKIND:       %s\nVERSION:    %s\n\n", Group, kind.Name, Version)
	if rest != "" {
		fmt.Fprintf(&b, "FIELD: %s <%s>%s\n\n", f.Name, f.Type, requiredMark(f))
	}
	fmt.Fprintf(&b, "DESCRIPTION:\n%s", wrap(f.Doc+rules(f), "    ", 76))
	if len(f.Fields) > 0 {
		b.WriteString("\nFIELDS:\n")
		explainFields(&b, f, "  ", recursive)
	}
	return b.String(), nil
}

// explainFields writes the fields of an object for explain: with their docs or, if recursive, as a
// tree of names.
func explainFields(b *strings.Builder, f *Field, indent string, recursive bool) {
	for _, child := range f.Fields {
		fmt.Fprintf(b, "%s%s\t<%s>%s\n", indent, child.Name, child.Type, requiredMark(child))
		if recursive {
			explainFields(b, child, indent+"  ", true)
			continue
		}
		b.WriteString(wrap(child.Doc+rules(child), indent+"  ", 76) + "\n")
	}
}

// requiredMark returns the mark of a required field for explain, or "".
func requiredMark(f *Field) string {
	if f.Required {
		return " -required-"
	}
	return ""
}

// rules describes the constraints in a field's tag as text.
func rules(f *Field) string {
	var b strings.Builder
	if f.Enum != nil {
		b.WriteString(" One of: " + strings.Join(f.Enum, ", ") + ".")
	}
	if f.Ref != "" {
		b.WriteString(" Names one of " + f.Ref + ".")
	}
	switch {
	case f.Shape == StringShape && f.Max != nil:
		fmt.Fprintf(&b, " At most %d characters.", *f.Max)
	case f.Min != nil && f.Max != nil:
		fmt.Fprintf(&b, " From %d to %d.", *f.Min, *f.Max)
	case f.Min != nil:
		fmt.Fprintf(&b, " At least %d.", *f.Min)
	}
	if f.Text != "" {
		b.WriteString(" An object, or a text, which is its " + f.Text + ".")
	}
	switch f.Format {
	case "duration":
		b.WriteString(` A duration such as "72h".`)
	case "glob":
		b.WriteString(` A pattern from the repository's root; "**" stands for any folders, and a folder for all files below it.`)
	}
	return b.String()
}

// wrap breaks text at spaces into indented lines of at most width characters.
func wrap(text, indent string, width int) string {
	var b strings.Builder
	line := indent
	for word := range strings.FieldsSeq(text) {
		if len(line) > len(indent) && len(line)+1+len(word) > width {
			b.WriteString(line + "\n")
			line = indent
		}
		if len(line) > len(indent) {
			line += " "
		}
		line += word
	}
	if len(line) > len(indent) {
		b.WriteString(line + "\n")
	}
	return b.String()
}
