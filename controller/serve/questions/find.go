package questions

import (
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/selectors"
)

// Find is a question for objects: all of some kinds, or some by name.
type Find struct {
	Kinds  []string // plurals: all objects of these
	Keys   []resources.Key
	Labels string // a selector; "" takes all
	Fields string
	Path   string // a file or folder from the repository's root: only what is about files there
	SortBy string
	Whole  bool // whole objects are wanted: their statuses with the times that the controller saw
	// Served makes documents as Kubernetes has them; nil: as commands print them, which know
	// revisions of files only.
	Served *Serving
}

// Found is what there is of that.
type Found struct {
	Entries []*Entry
	Missing []resources.Key // of those that were named
	Version uint64          // resource version of all; 0: no controller counts them
}

// Values are the question's parameters.
func (f *Find) Values() url.Values {
	v := url.Values{}
	for _, kind := range f.Kinds {
		v.Add("kind", kind)
	}
	for _, key := range f.Keys {
		v.Add("key", key.String())
	}
	for name, value := range map[string]string{"labelSelector": f.Labels, "fieldSelector": f.Fields, "path": f.Path, "sortBy": f.SortBy} {
		if value != "" {
			v.Set(name, value)
		}
	}
	return v
}

// ReadFind reads the parameters of a question for objects.
func ReadFind(v url.Values) *Find {
	f := &Find{Kinds: v["kind"], Labels: v.Get("labelSelector"), Fields: v.Get("fieldSelector"), Path: v.Get("path"), SortBy: v.Get("sortBy")}
	f.Keys = KeysOf(v["key"])
	return f
}

func keyOf(text string) resources.Key {
	kind, name, _ := strings.Cut(text, "/")
	return resources.Key{Kind: kind, Name: name}
}

// Choice is how objects are chosen and ordered. It must not be used by two goroutines at once.
type Choice struct {
	labels selectors.Labels
	fields selectors.Fields
	path   string
	sorter *sorter
	served *Serving
	source *Source // that the entries are of
}

// Choice reads the selectors and what to sort by; what is wrong with them is the error.
func (f *Find) Choice() (c Choice, err error) {
	c.served, c.path = f.Served, f.Path
	if c.labels, err = selectors.ParseLabels(f.Labels); err != nil {
		return c, err
	}
	if c.fields, err = selectors.ParseFields(f.Fields); err != nil {
		return c, err
	}
	c.sorter, err = newSorter(f.SortBy)
	return c, err
}

// Takes reports whether the selectors take an entry, which becomes what was asked for.
func (c *Choice) Takes(e *Entry) bool {
	if c.served != nil {
		e.served, e.source = c.served, c.source
	}
	return c.labels.Matches(e.Labels()) && (c.path == "" || about(e, c.path)) && (c.fields == nil || c.fields.Matches(e.Document()))
}

// In returns what there is in a source.
func (f *Find) In(s *Source) (found Found, err error) {
	choice, err := f.Choice()
	if err != nil {
		return found, err
	}
	choice.source = s
	if err := f.unreadable(s); err != nil {
		return found, err
	}
	entries, version := s.Entries(f.Kinds, f.Keys, f.Whole || choice.fields != nil || choice.path != "" || choice.sorter != nil)
	found.Version = version
	there := map[resources.Key]bool{}
	for _, e := range entries {
		if choice.Takes(e) {
			found.Entries = append(found.Entries, e)
		}
		if len(f.Keys) > 0 {
			there[e.Key] = true
		}
	}
	for _, key := range f.Keys {
		if !there[key] {
			found.Missing = append(found.Missing, key)
		}
	}
	choice.sorter.sort(found.Entries)
	return found, nil
}

// unreadable says what keeps the folder of one of the kinds from being read; nil: nothing.
func (f *Find) unreadable(s *Source) error {
	kinds := slices.Clone(f.Kinds)
	for _, key := range f.Keys {
		kinds = append(kinds, key.Kind)
	}
	for _, kind := range kinds {
		if err := unreadableFolder(s.Root, kind); err != nil {
			return err
		}
	}
	return nil
}

// unreadableFolder says why the folder of a kind cannot be read: a resources.Problem, nil if it can. It is asked
// of the files: a controller knows no objects there.
func unreadableFolder(root layout.Root, kind string) error {
	d, err := root.Open(layout.Folder(kind))
	if err == nil {
		d.Close()
	}
	var p resources.Problem
	if errors.Is(err, store.ErrFolder) && errors.As(err, &p) {
		p.Key.Kind = kind
		return p
	}
	return nil
}

// EntryOf returns one object with what holds about it; nil if there is none.
func EntryOf(s *Source, key resources.Key) *Entry {
	entries, _ := s.Entries(nil, []resources.Key{key}, false)
	if len(entries) == 0 {
		return nil
	}
	return entries[0]
}

// Names are keys as answers hold them: "tasks/foo".
func Names(keys []resources.Key) []string {
	var names []string
	for _, key := range keys {
		names = append(names, key.String())
	}
	return names
}
