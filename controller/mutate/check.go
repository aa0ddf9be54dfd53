package mutate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
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

// prepareCircles finds, once for many objects that are about to be written, those
// that may stand in a circle: following each one's references anew would cost
// the square of their number. It takes all references within a kind together, so
// it names a few too many and leaves out none.
func (v *View) prepareCircles() {
	edges := map[string][]string{}
	for o := range v.objects() {
		key := o.Key()
		for _, r := range resources.References(o) {
			if r.Key.Kind == key.Kind && !strings.HasPrefix(r.Field, "spec.relatedTo") {
				edges[key.String()] = append(edges[key.String()], r.Key.String())
			}
		}
	}
	v.circular = graph.Circles(edges)
}

// mayCircle reports whether the object may stand in a circle.
func (v *View) mayCircle(key resources.Key) bool {
	if v.circular == nil {
		return true
	}
	_, found := v.circular[key.String()]
	return found
}

// maxTag is how long the name of a label, without its prefix, and the value of a
// label may be; as in Kubernetes.
const maxTag = 63

// CheckLabel refuses a label that a selector could not name: its key, or its value.
func CheckLabel(name, value string) error {
	if err := checkTagKey("label", name); err != nil {
		return err
	}
	if value != "" && !isTagWord(value) {
		return fmt.Errorf("invalid label value %q: a value consists of letters, digits, '-', '_' and '.', begins and ends with a letter or a digit, and has at most %d characters; for other texts there is idumb annotate", value, maxTag)
	}
	return nil
}

// CheckAnnotation refuses an annotation whose key nobody could write on a command line;
// its value may be any text.
func CheckAnnotation(name, _ string) error { return checkTagKey("annotation", name) }

func checkTagKey(noun, name string) error {
	prefix, short, prefixed := strings.Cut(name, "/")
	if !prefixed {
		prefix, short = "", name
	}
	if prefixed && resources.CheckName(prefix) != nil || !isTagWord(short) {
		return fmt.Errorf("invalid %s key %q: a key consists of letters, digits, '-', '_' and '.', begins and ends with a letter or a digit, has at most %d characters, and may follow a domain and a '/' (for example example.com/area)", noun, name, maxTag)
	}
	return nil
}

// checkTags are the labels and annotations that a change brings which commands would not
// take. What was there before may stay, so that an object which somebody wrote by hand can
// still be worked on.
func checkTags(o, before resources.Object) (errs []resources.FieldError) {
	var old resources.Meta
	if before != nil {
		old = before.Head().Metadata
	}
	meta := o.Head().Metadata
	for _, field := range [...]struct {
		name     string
		now, was map[string]string
		check    func(name, value string) error
	}{
		{"metadata.labels", meta.Labels, old.Labels, CheckLabel},
		{"metadata.annotations", meta.Annotations, old.Annotations, CheckAnnotation},
	} {
		for _, name := range slices.Sorted(maps.Keys(field.now)) {
			if was, there := field.was[name]; there && was == field.now[name] {
				continue
			}
			if err := field.check(name, field.now[name]); err != nil {
				errs = append(errs, resources.FieldError{Field: field.name, Detail: err.Error()})
			}
		}
	}
	return errs
}

func isTagWord(s string) bool {
	if s == "" || len(s) > maxTag || !isAlnum(s[0]) || !isAlnum(s[len(s)-1]) {
		return false
	}
	for i := range len(s) {
		if !isAlnum(s[i]) && strings.IndexByte("-_.", s[i]) < 0 {
			return false
		}
	}
	return true
}

func isAlnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}
