package resources

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Validate checks an object's values against the field table and the rules of its kind. It
// returns nil if the object is valid. It looks at no other objects; CheckReferences
// validates references.
func Validate(object Object) []FieldError {
	if _, ok := KindOf(object.Key().Kind); !ok {
		return []FieldError{invalid("kind", object.Key().Kind, "there is no such kind")}
	}
	v := &validator{self: object.Key()}
	if err := CheckName(object.Head().Metadata.Name); err != nil {
		v.add(invalid("metadata.name", object.Head().Metadata.Name, err.Error()))
	}
	v.visit = v.field
	v.spec(object)
	switch o := object.(type) {
	case *Task:
		v.task(o)
	case *WorkPlan:
		v.plan(o)
	case *Mem:
		v.mem(o)
	case *ChainRule:
		v.chainRule(o)
	case *Decision:
		v.decision(o)
	case *Artifact:
		v.artifact(o)
	case *Comment:
		v.comment(o)
	case *Trigger:
		v.trigger(o)
	case *Delegation:
		if o.Spec.To != "" && o.Spec.To == o.Spec.From {
			v.add(itself("spec.to", o.Spec.To))
		}
	}
	return v.errs
}

// validator walks a spec along the field table. It formats the path only for errors.
type validator struct {
	walker
	self Key
	errs []FieldError
}

// add records an error.
func (v *validator) add(e FieldError) { v.errs = append(v.errs, e) }

// at returns the path of the field that is checked.
func (v *validator) at() string { return pathOf(v.path) }

// field checks the value of one field against its rules.
func (v *validator) field(f *Field, value reflect.Value) {
	switch {
	case f.Required && (!value.IsValid() || blank(value)):
		v.add(required(v.at()))
	case !value.IsValid():
	case f.Shape == StringShape && f.Repeated:
		var seen map[string]bool
		if f.Ref != "" && value.Len() > 1 {
			seen = map[string]bool{}
		}
		v.each(value, func(item reflect.Value) { v.element(f, item.String(), seen) })
	case f.Shape == StringShape:
		v.text(f, value.String())
	case f.Shape == IntegerShape:
		n := value.Int()
		switch {
		case n == 0 && f.Min != nil && *f.Min > 0: // omitted, since the field must be positive
		case f.Min != nil && n < int64(*f.Min):
			v.add(FieldError{Field: v.at(), Detail: fmt.Sprintf("Invalid value: %d: must be at least %d", n, *f.Min)})
		case f.Max != nil && n > int64(*f.Max):
			v.add(FieldError{Field: v.at(), Detail: fmt.Sprintf("Invalid value: %d: must be at most %d", n, *f.Max)})
		}
	}
}

// blank reports whether a required value is empty.
func blank(value reflect.Value) bool {
	switch value.Kind() {
	case reflect.String:
		return strings.TrimSpace(value.String()) == ""
	case reflect.Slice:
		return value.Len() == 0
	}
	return false
}

// element validates one string of a list. seen is nil if duplicates are allowed.
func (v *validator) element(f *Field, text string, seen map[string]bool) {
	if strings.TrimSpace(text) == "" {
		v.add(invalid(v.at(), text, "must not be empty"))
		return
	}
	if seen[text] {
		v.add(duplicate(v.at(), text))
	}
	if seen != nil {
		seen[text] = true
	}
	v.text(f, text)
}

// text checks a text against the length, the values or the format of its field,
// and that it does not refer to the object itself. An empty text is valid.
func (v *validator) text(f *Field, text string) {
	switch {
	case text == "":
	case f.Max != nil && utf8.RuneCountInString(text) > *f.Max:
		v.add(FieldError{Field: v.at(), Detail: fmt.Sprintf("Too long: it has %d characters and must have at most %d; put the rest into a file and name it", utf8.RuneCountInString(text), *f.Max)})
	case f.Enum != nil:
		if !slices.Contains(f.Enum, text) {
			v.add(unsupported(v.at(), text, f.Enum))
		}
	default:
		if why := formatError(f, text); why != "" {
			v.add(invalid(v.at(), text, why))
		}
		if text == v.self.Name && f.Ref == v.self.Kind && !isUnchecked(f.Ref) {
			v.add(itself(v.at(), text))
		}
	}
}

// formatError returns the reason why a text violates the format of its field, or "".
func formatError(f *Field, text string) string {
	switch {
	case f.Ref != "":
		return reason(CheckName(text))
	case f.Format == sectionFormat:
		name, section, given := strings.Cut(text, "#")
		if given && strings.TrimSpace(section) == "" {
			return "has no section after the #"
		}
		return nameError(name)
	case f.Format == "reference":
		return nameError(text)
	case f.Format == "duration":
		if d, err := time.ParseDuration(text); err != nil || d <= 0 {
			return `must be a positive duration as Go writes it, such as "72h" or "30m"`
		}
	case f.Format == "version":
		if numbers := versionNumbers(text); numbers == nil {
			return `must be a version such as "1.4.0"`
		}
	case f.Format == "path":
		return OutsideReason(text)
	case f.Format == "glob":
		return cmp.Or(OutsideReason(text), reason(CheckGlob(text)))
	}
	return ""
}

// nameError returns the reason why a text is not NAME or KIND/NAME, or "".
func nameError(text string) string {
	_, name, qualified := strings.Cut(text, "/")
	if !qualified {
		name = text
	}
	return reason(CheckName(name))
}

// reason returns the text of an error, "" for nil.
func reason(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// OutsideReason returns the reason why a path or pattern is not inside the repository, or "".
func OutsideReason(path string) string {
	switch {
	case strings.HasPrefix(path, "/"):
		return "must be a path from the repository's root, without a leading /"
	case slices.Contains(strings.Split(path, "/"), ".."):
		return `must not leave the repository: ".." is not allowed`
	}
	return ""
}

// itself returns the error for an object that refers to itself.
func itself(field, name string) FieldError { return invalid(field, name, "must not name itself") }

// task checks the evidence items of a task.
func (v *validator) task(t *Task) {
	for i, item := range t.Spec.Evidence {
		switch path := fmt.Sprintf("spec.evidence[%d]", i); {
		case (item.File == "") == (strings.TrimSpace(item.Command) == ""):
			v.add(FieldError{Field: path, Detail: `Invalid value: exactly one of "file" and "command" must be given`})
		case item.Succeeds && item.Command == "":
			v.add(Forbidden(path+".succeeds", `only a "command" can succeed`))
		}
	}
}

// mem checks the citations and the validity period of a mem.
func (v *validator) mem(m *Mem) {
	v.evidence(m.Spec.Evidence)
	if from, to := m.Spec.ValidFrom, m.Spec.ValidTo; !from.IsZero() && !to.IsZero() && to.Before(from.Time) {
		v.add(invalid("spec.validTo", to.Format(time.RFC3339), "must not be before spec.validFrom"))
	}
}

// evidence validates the evidence of a mem or a decision.
func (v *validator) evidence(all []MemEvidence) {
	for i, e := range all {
		switch path := fmt.Sprintf("spec.evidence[%d]", i); {
		case e.Path == "" && strings.TrimSpace(e.Note) == "":
			v.add(FieldError{Field: path, Detail: `Invalid value: "path" or "note" must be given`})
		case e.Path == "" && (e.Section != "" || e.SHA256 != ""):
			v.add(Forbidden(path, `"section" and "sha256" say something of a "path"`))
		}
	}
}

// plan checks that the phases of a plan have different names.
func (v *validator) plan(p *WorkPlan) {
	seen := map[string]bool{}
	for i, phase := range p.Spec.Phases {
		if seen[phase.Name] {
			v.add(duplicate(fmt.Sprintf("spec.phases[%d].name", i), phase.Name))
		}
		seen[phase.Name] = true
	}
}

// SortedPhases returns a plan's stages sorted by order, then by name.
func SortedPhases(p *WorkPlan) []PlanPhase {
	return slices.SortedFunc(slices.Values(p.Spec.Phases), func(a, b PlanPhase) int {
		return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.Name, b.Name))
	})
}
