package resources

import (
	"reflect"
	"slices"
	"strings"
)

// Reference is one field in which an object names another object.
type Reference struct {
	Field string // "spec.dependsOn[1]"
	Key   Key    // the referenced object
}

// References returns every reference of an object, in the order of the field table: the
// fields with ref=, and relatedTo. The entries of relatedTo are "kind/name", or a bare
// name for an object of the same kind. A missing session or role is not an error,
// because sessions are local to a machine and roles can be created later. References
// returns them too.
func References(object Object) []Reference {
	var found []Reference
	eachReference(object, func(r Reference, name string) string {
		found = append(found, r)
		return name
	})
	return found
}

// Rename replaces the names in an object's references. It calls rename with each reference
// that References lists and its current text. rename returns the new text; "" removes the
// entry from its list.
func Rename(object Object, rename func(at Reference, name string) string) {
	eachReference(object, rename)
}

// eachReference calls visit with each reference in an object's spec and sets the reference to the
// result. An element of a list that becomes empty is removed.
func eachReference(object Object, visit func(Reference, string) string) {
	w := walker{}
	w.visit = func(f *Field, value reflect.Value) {
		switch {
		case f.Ref == "" && f.Format != "reference" && f.Format != sectionFormat || !value.IsValid():
		case !f.Repeated:
			w.reference(object, f, value, visit)
		default:
			emptied := false
			w.each(value, func(item reflect.Value) { emptied = w.reference(object, f, item, visit) || emptied })
			if list := value.Addr().Interface().(*[]string); emptied { // do not write otherwise: the object may be shared
				*list = slices.DeleteFunc(*list, func(name string) bool { return name == "" })
			}
		}
	}
	w.spec(object)
}

// reference calls visit with one name of an object and stores the result. It reports
// whether the result is empty.
func (w *walker) reference(object Object, f *Field, value reflect.Value, visit func(Reference, string) string) (emptied bool) {
	name := value.String()
	if name == "" {
		return false
	}
	key := Key{Kind: f.Ref, Name: name}
	if f.Ref == "" {
		self, _ := KindOf(object.Key().Kind)
		key = relatedKey(self, withoutSection(f, name))
	}
	now := visit(Reference{Field: pathOf(w.path), Key: key}, name)
	if now != name {
		value.SetString(now)
	}
	return now == ""
}

// sectionFormat is "reference" with an optional suffix #SECTION that selects a section.
const sectionFormat = "section"

// withoutSection returns the object that an entry of a field names, without its section.
func withoutSection(f *Field, entry string) string {
	if f.Format == sectionFormat {
		entry, _, _ = strings.Cut(entry, "#")
	}
	return entry
}

// RelatedKeys returns the objects in spec.relatedTo of a mem or an anchor, in the same
// order. It returns nil for other kinds.
func RelatedKeys(o Object) []Key {
	var related []string
	switch o := o.(type) {
	case *Mem:
		related = o.Spec.RelatedTo
	case *Anchor:
		related = o.Spec.RelatedTo
	}
	if len(related) == 0 {
		return nil
	}
	self, _ := KindOf(o.Key().Kind)
	keys := make([]Key, len(related))
	for i, entry := range related {
		keys[i] = relatedKey(self, entry)
	}
	return keys
}

// relatedKey parses an entry of relatedTo: KIND/NAME, or the NAME of an object of kind self.
func relatedKey(self *Kind, entry string) Key {
	word, name, qualified := strings.Cut(entry, "/")
	if !qualified {
		return Key{Kind: self.Plural, Name: entry}
	}
	if k, ok := LookupKind(word); ok {
		return Key{Kind: k.Plural, Name: name}
	}
	return Key{Kind: word, Name: name}
}

// Existing reports which objects exist, for CheckReferences.
type Existing interface {
	// Exists reports whether an object with that key exists, including unreadable objects.
	Exists(key Key) bool
}

// CheckReferences returns a "Not found" error for every reference to a missing
// object, and for a task's phase that its plan does not have. It ignores
// references of an object to itself, derived references, sessions and roles:
// sessions are local to a machine, and a role can be created later.
func CheckReferences(object Object, existing Existing) []FieldError {
	var errs []FieldError
	for _, r := range References(object) {
		if isUnchecked(r.Key.Kind) || r.Key == object.Key() || IsDerivedReference(object, r) || existing.Exists(r.Key) {
			continue
		}
		errs = append(errs, notFound(r.Field, r.Key.Name))
	}
	if task, ok := object.(*Task); ok {
		errs = append(errs, checkPhase(task, existing)...)
	}
	return errs
}

// isUnchecked reports whether references to a kind are not checked: the object may be missing or
// refer to itself.
func isUnchecked(kind string) bool { return kind == Sessions || kind == Roles }

// IsDerivedReference reports whether a reference names the source of a mem that the controller
// generated. The source may be archived, and is then missing from exports that contain the
// mem.
func IsDerivedReference(object Object, r Reference) bool {
	m, isMem := object.(*Mem)
	return isMem && SourceDigest(m) != "" && (r.Field == "spec.originTask" || strings.HasPrefix(r.Field, "spec.relatedTo"))
}

// checkPhase returns an error if the plan of a task does not have its phase. It
// returns nil if existing does not know the plan.
func checkPhase(t *Task, existing Existing) []FieldError {
	plans, ok := existing.(interface {
		Plan(name string) (*WorkPlan, bool)
	})
	if !ok || t.Spec.Phase == "" {
		return nil
	}
	plan, ok := plans.Plan(t.Spec.WorkPlan)
	if !ok || slices.ContainsFunc(plan.Spec.Phases, func(p PlanPhase) bool { return p.Name == t.Spec.Phase }) {
		return nil
	}
	return []FieldError{notFound("spec.phase", t.Spec.Phase)}
}
