package resources

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Validate returns what is wrong with an object's values, looking at nothing but
// the object: the rules of the table of fields, and those of its kind. Nil: all is
// well. References to other objects are CheckReferences' business.
func Validate(object Object) []FieldError {
	kind, ok := KindOf(object.Key().Kind)
	if !ok {
		return []FieldError{invalid("kind", object.Key().Kind, "there is no such kind")}
	}
	v := &validator{}
	if err := CheckName(object.Head().Metadata.Name); err != nil {
		v.add(invalid("metadata.name", object.Head().Metadata.Name, err.Error()))
	}
	spec, _ := kind.Fields().Field("spec")
	v.object(spec, reflect.ValueOf(object.SpecPointer()).Elem(), "spec")
	switch o := object.(type) {
	case *Task:
		v.task(o)
	case *WorkPlan:
		v.plan(o)
	case *Mem:
		v.notItself("spec.supersedes", o.Spec.Supersedes, o.Metadata.Name)
		v.notItself("spec.parent", o.Spec.Parent, o.Metadata.Name)
	case *Delegation:
		v.notItself("spec.to", o.Spec.To, o.Spec.From)
	}
	return v.errs
}

type validator struct{ errs []FieldError }

func (v *validator) add(e FieldError) { v.errs = append(v.errs, e) }

func (v *validator) object(f *Field, value reflect.Value, path string) {
	for _, child := range f.Fields {
		v.field(child, value.FieldByIndex(child.index), path+"."+child.Name)
	}
}

func (v *validator) field(f *Field, value reflect.Value, path string) {
	if value.Kind() == reflect.Pointer {
		if value.IsNil() {
			if f.Required {
				v.add(required(path))
			}
			return
		}
		value = value.Elem()
	}
	if f.Required && blank(value) {
		v.add(required(path))
		return
	}
	if f.Repeated {
		v.list(f, value, path)
		return
	}
	v.single(f, value, path)
}

// blank reports whether a required value says nothing.
func blank(value reflect.Value) bool {
	switch value.Kind() {
	case reflect.String:
		return strings.TrimSpace(value.String()) == ""
	case reflect.Slice:
		return value.Len() == 0
	}
	return false
}

func (v *validator) list(f *Field, value reflect.Value, path string) {
	seen := map[string]bool{}
	for i := range value.Len() {
		element, at := value.Index(i), fmt.Sprintf("%s[%d]", path, i)
		if f.Shape == StringShape {
			text := element.String()
			switch {
			case strings.TrimSpace(text) == "":
				v.add(invalid(at, text, "must not be empty"))
				continue
			case f.Ref != "" && seen[text]:
				v.add(duplicate(at, text))
			}
			seen[text] = true
		}
		v.single(f, element, at)
	}
}

func (v *validator) single(f *Field, value reflect.Value, path string) {
	switch f.Shape {
	case ObjectShape:
		v.object(f, value, path)
	case IntegerShape:
		v.integer(f, value.Int(), path)
	case StringShape:
		v.text(f, value.String(), path)
	}
}

func (v *validator) integer(f *Field, n int64, path string) {
	switch {
	case n == 0 && f.Min != nil && *f.Min > 0: // left out
	case f.Min != nil && n < int64(*f.Min):
		v.add(FieldError{Field: path, Detail: fmt.Sprintf("Invalid value: %d: must be at least %d", n, *f.Min)})
	case f.Max != nil && n > int64(*f.Max):
		v.add(FieldError{Field: path, Detail: fmt.Sprintf("Invalid value: %d: must be at most %d", n, *f.Max)})
	}
}

func (v *validator) text(f *Field, text, path string) {
	switch {
	case text == "":
	case f.Enum != nil && !slices.Contains(f.Enum, text):
		v.add(unsupported(path, text, f.Enum))
	case f.Format == "duration":
		if d, err := time.ParseDuration(text); err != nil || d <= 0 {
			v.add(invalid(path, text, `must be a positive duration as Go writes it, such as "72h" or "30m"`))
		}
	case f.Format == "glob":
		if why := badPattern(text); why != "" {
			v.add(invalid(path, text, why))
		}
	case f.Ref != "":
		if err := CheckName(text); err != nil {
			v.add(invalid(path, text, err.Error()))
		}
	}
}

// badPattern says why a pattern cannot match any path of the repository.
func badPattern(pattern string) string {
	switch {
	case strings.HasPrefix(pattern, "/"):
		return "must be a path from the repository's root, without a leading /"
	case slices.Contains(strings.Split(pattern, "/"), ".."):
		return `must not leave the repository: ".." is not allowed`
	}
	if err := CheckGlob(pattern); err != nil {
		return err.Error()
	}
	return ""
}

func (v *validator) notItself(field, value, self string) {
	if value != "" && value == self {
		v.add(invalid(field, value, "must not name itself"))
	}
}

func (v *validator) task(t *Task) {
	self := t.Metadata.Name
	for i, dependency := range t.Spec.DependsOn {
		v.notItself(fmt.Sprintf("spec.dependsOn[%d]", i), dependency, self)
	}
	if gate := t.Spec.TemporalGate; gate != nil {
		v.notItself("spec.temporalGate.after", gate.After, self)
	}
	v.notItself("spec.parent", t.Spec.Parent, self)
	for i, item := range t.Spec.Evidence {
		v.evidence(fmt.Sprintf("spec.evidence[%d]", i), item)
	}
}

func (v *validator) evidence(path string, item EvidenceItem) {
	switch {
	case (item.File == "") == (strings.TrimSpace(item.Command) == ""):
		v.add(FieldError{Field: path, Detail: `Invalid value: exactly one of "file" and "command" must be given`})
	case item.Succeeds && item.Command == "":
		v.add(forbidden(path+".succeeds", `only a "command" can succeed`))
	}
}

func (v *validator) plan(p *WorkPlan) {
	for i, dependency := range p.Spec.DependsOn {
		v.notItself(fmt.Sprintf("spec.dependsOn[%d]", i), dependency, p.Metadata.Name)
	}
	seen := map[string]bool{}
	for i, phase := range p.Spec.Phases {
		if seen[phase.Name] {
			v.add(duplicate(fmt.Sprintf("spec.phases[%d].name", i), phase.Name))
		}
		seen[phase.Name] = true
	}
}

// SortedPhases returns a plan's stages by order, then by name.
func SortedPhases(p *WorkPlan) []PlanPhase {
	return slices.SortedFunc(slices.Values(p.Spec.Phases), func(a, b PlanPhase) int {
		return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.Name, b.Name))
	})
}
