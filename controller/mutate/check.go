package mutate

import (
	"fmt"
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// Check returns what keeps an object from being written: its own values, labels that no
// selector could name, names that nothing has, circles. What a reference said before may stay as it is,
// also if it leads nowhere by now: an object whose chain is broken must still be
// labelled, failed or abandoned. before is nil for a new object.
func Check(o, before resources.Object, v *View) error {
	if errs := resources.Validate(o); len(errs) > 0 {
		return invalid(o.Key(), errs)
	}
	if errs := checkTags(o, before); len(errs) > 0 {
		return invalid(o.Key(), errs)
	}
	errs := resources.CheckReferences(o, v)
	if name := o.Head().Metadata.Name; before == nil && resources.ReservedName(name) {
		errs = append(errs, resources.FieldError{Field: "metadata.name", Detail: fmt.Sprintf("Invalid value: %q: Windows keeps this name for a device, so a clone there cannot hold the file; choose another one", name)})
	}
	if v.mayCircle(o.Key()) {
		errs = append(errs, status.CheckCycle(o, v)...)
	}
	errs = append(errs, between(o, v)...)
	errs = append(errs, disowned(o, before)...)
	if len(errs) > 0 && before != nil {
		old := slices.Concat(resources.CheckReferences(before, v), status.CheckCycle(before, v), between(before, v))
		errs = slices.DeleteFunc(errs, func(e resources.FieldError) bool {
			return slices.ContainsFunc(old, func(was resources.FieldError) bool { return was.Detail == e.Detail })
		})
	}
	return invalid(o.Key(), errs)
}

// disowned: a false path that is called something else could be purged, or fade.
func disowned(o, before resources.Object) []resources.FieldError {
	m, isMem := o.(*resources.Mem)
	was, wasMem := before.(*resources.Mem)
	if !isMem || !wasMem || was.Spec.Type != resources.FalsePath || m.Spec.Type == resources.FalsePath {
		return nil
	}
	return []resources.FieldError{{Field: "spec.type", Detail: "Forbidden: a false path ends only by a mem that replaces it and says why: idumb mem supersede " + m.Metadata.Name}}
}

// between are the rules of one kind between its objects.
func between(o resources.Object, v *View) []resources.FieldError {
	m, ok := o.(*resources.Mem)
	if !ok {
		return nil
	}
	errs := memory.Check(m, v)
	if old := (resources.Key{Kind: resources.Mems, Name: m.Spec.Supersedes}); old.Name != "" && v.Mem(old.Name) == nil && v.Exists(old) {
		errs = append(errs, resources.FieldError{Field: "spec.supersedes", Detail: "Forbidden: the file of " + old.String() + " cannot be read, so nobody knows what it would replace; mend it first: idumb doctor"})
	}
	return errs
}
