package resources

import (
	"reflect"
	"slices"
	"strings"
)

// Reference is one place in which an object names another.
type Reference struct {
	Field string // "spec.dependsOn[1]"
	Key   Key    // the object that it names
}

// References returns every place in which an object names another, in the order of
// the table of fields: fields with ref=, and relatedTo, whose entries are
// "kind/name" or, for an object of the same kind, a bare name. Sessions are local
// to a machine and roles may be made later, so naming one of those that is not
// there is no mistake; they are in the list all the same.
func References(object Object) []Reference {
	var found []Reference
	eachReference(object, func(r Reference, name string) string {
		found = append(found, r)
		return name
	})
	return found
}

// Rename puts other names where an object names others. rename is told each place that References lists and the text that
// stands there, and returns the one that is to stand there; "" takes an entry out of its list.
func Rename(object Object, rename func(at Reference, name string) string) {
	eachReference(object, rename)
}

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
			if list := value.Addr().Interface().(*[]string); emptied { // else the object may be shared
				*list = slices.DeleteFunc(*list, func(name string) bool { return name == "" })
			}
		}
	}
	w.spec(object)
}

// reference visits one name of an object, and puts another one in its place if it is told to: whether none.
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

// sectionFormat is "reference", with a #SECTION behind it where only a part is meant.
const sectionFormat = "section"

// withoutSection is the object alone that an entry of a field names.
func withoutSection(f *Field, entry string) string {
	if f.Format == sectionFormat {
		entry, _, _ = strings.Cut(entry, "#")
	}
	return entry
}

// RelatedKeys returns what a mem or an anchor names in spec.relatedTo, in its order;
// nil for any other object.
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

// relatedKey reads an entry of relatedTo.
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

// Existing is what checking references needs to know.
type Existing interface {
	// Exists reports whether there is an object of that key, readable or not.
	Exists(key Key) bool
}

// CheckReferences returns a "Not found" for every reference that names nothing, as
// commands refuse it. References to sessions and roles pass: sessions live on one
// machine only, and a role may be written later.
func CheckReferences(object Object, existing Existing) []FieldError {
	var errs []FieldError
	for _, r := range References(object) {
		if passes(r.Key.Kind) || r.Key == object.Key() || madeOf(object, r) || existing.Exists(r.Key) {
			continue
		}
		errs = append(errs, notFound(r.Field, r.Key.Name))
	}
	if task, ok := object.(*Task); ok {
		errs = append(errs, checkPhase(task, existing)...)
	}
	return errs
}

// passes reports kinds of which a name may be that of nothing, or of the object itself.
func passes(kind string) bool { return kind == Sessions || kind == Roles }

// madeOf reports what a mem was made of, by the controller: that may be archived by now, and
// then is in no export that has the mem.
func madeOf(object Object, r Reference) bool {
	m, isMem := object.(*Mem)
	return isMem && SourceDigest(m) != "" && (r.Field == "spec.originTask" || strings.HasPrefix(r.Field, "spec.relatedTo"))
}

// checkPhase compares a task's stage with those of its plan, where that can be read.
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
