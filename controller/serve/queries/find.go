package queries

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

// Find is a query for objects: all of some kinds, or some by name.
type Find struct {
	Kinds  []string // plurals of kinds; all their objects match
	Keys   []resources.Key
	Labels string // label selector; empty matches all
	Fields string
	Path   string // file or directory, relative to the root; only related objects match
	SortBy string
	Whole  bool // include the transition times in statuses
	// Served selects the Kubernetes form of documents. nil selects the printed
	// form, which has file revisions only.
	Served *Serving
}

// FindResult is the result of a Find.
type FindResult struct {
	Entries []*Entry
	Missing []resources.Key // requested keys without an object
	Version uint64          // resource version of the result; 0 without a controller
}

// Values returns the parameters of the query.
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

// ReadFind parses the parameters of a query for objects.
func ReadFind(v url.Values) *Find {
	f := &Find{Kinds: v["kind"], Labels: v.Get("labelSelector"), Fields: v.Get("fieldSelector"), Path: v.Get("path"), SortBy: v.Get("sortBy")}
	f.Keys = KeysOf(v["key"])
	return f
}

// keyOf parses a key of the form PLURAL/NAME.
func keyOf(text string) resources.Key {
	kind, name, _ := strings.Cut(text, "/")
	return resources.Key{Kind: kind, Name: name}
}

// Choice selects and sorts objects. It is not safe for concurrent use.
type Choice struct {
	labels selectors.Labels
	fields selectors.Fields
	path   string
	sorter *sorter
	served *Serving
	source *Source // source of the entries
}

// Choice parses the selectors and the sort field. It returns an error if one is
// invalid.
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

// Matches reports whether the selectors match an entry. It also sets the form of
// the entry's document.
func (c *Choice) Matches(e *Entry) bool {
	if c.served != nil {
		e.served, e.source = c.served, c.source
	}
	return c.labels.Matches(e.Labels()) && (c.path == "" || relatesTo(e, c.path)) && (c.fields == nil || c.fields.Matches(e.Document()))
}

// Run runs the query on a source.
func (f *Find) Run(s *Source) (found FindResult, err error) {
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
		if choice.Matches(e) {
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

// unreadable returns the problem of an unreadable directory of the requested
// kinds, or nil.
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

// unreadableFolder returns the problem of the directory of a kind, a
// resources.Problem, or nil if it is readable. It checks the file system,
// because a controller has no objects of an unreadable directory.
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

// EntryOf returns one object with its status, or nil if it does not exist.
func EntryOf(s *Source, key resources.Key) *Entry {
	entries, _ := s.Entries(nil, []resources.Key{key}, false)
	if len(entries) == 0 {
		return nil
	}
	return entries[0]
}

// Names formats keys for answers: "tasks/foo".
func Names(keys []resources.Key) []string {
	var names []string
	for _, key := range keys {
		names = append(names, key.String())
	}
	return names
}

// NamesOf returns the names of a kind's objects that begin with a prefix,
// optionally only in certain phases (phase). Without a controller, clients
// complete names from the files.
func NamesOf(s *Source, v url.Values) ([]string, error) {
	names, phases := []string{}, v["phase"]
	for _, key := range s.List(v.Get("kind")) {
		if strings.HasPrefix(key.Name, v.Get("prefix")) && resources.CheckName(key.Name) == nil &&
			(len(phases) == 0 || slices.Contains(phases, PhaseOf(s, key))) {
			names = append(names, key.Name)
		}
	}
	return names, nil
}
