package queries

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/url"
	"strconv"

	"github.com/idumb-dev/idumb/resources"
)

// List is a list of objects. It is encoded as a Kubernetes list with one item
// per line. A received list can be iterated once, while it is read.
type List struct {
	Kind       string   `json:"kind"`
	APIVersion string   `json:"apiVersion"`
	Metadata   ListMeta `json:"metadata"`
	Missing    []string `json:"missing,omitempty"` // requested keys ("tasks/foo") without an object; not a Kubernetes field
	// Empty reports whether there are no items.
	Empty bool `json:"-"`
	// Items yields the encoded objects.
	Items iter.Seq2[json.RawMessage, error] `json:"-"`
}

// ListOf returns a list of objects of any kinds.
func ListOf(entries ...*Entry) List { return listOf(entries, (*Entry).Line) }

// listOf returns a list of objects that line encodes while it is iterated.
func listOf(entries []*Entry, line func(*Entry) (json.RawMessage, error)) List {
	return List{Kind: "List", APIVersion: "v1", Empty: len(entries) == 0, Items: func(yield func(json.RawMessage, error) bool) {
		for _, e := range entries {
			if !yield(line(e)) {
				return
			}
		}
	}}
}

// KindList returns the list of all found objects of one kind, encoded by line.
func (f *FindResult) KindList(kind *resources.Kind, line func(*Entry) (json.RawMessage, error)) List {
	l := listOf(f.Entries, line)
	l.Kind, l.APIVersion, l.Metadata = kind.Name+"List", resources.APIVersion, f.Meta()
	return l
}

// Meta returns list metadata with the resource version of the result.
func (f *FindResult) Meta() ListMeta {
	if f.Version == 0 {
		return ListMeta{}
	}
	return ListMeta{ResourceVersion: strconv.FormatUint(f.Version, 10)}
}

// ObjectsOf answers a query for objects with a list.
func ObjectsOf(s *Source, v url.Values) (List, error) {
	find := ReadFind(v)
	find.Whole = true
	found, err := find.Run(s)
	if err != nil {
		return List{}, err
	}
	l := ListOf(found.Entries...)
	l.Missing = Names(found.Missing)
	return l, nil
}

// Entries decodes the items while they are iterated.
func (l *List) Entries() iter.Seq2[*Entry, error] {
	return func(yield func(*Entry, error) bool) {
		for line, err := range l.Items {
			var e *Entry
			if err == nil {
				e, err = Decode(line)
			}
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}

// itemsBegin separates the metadata of a list from its items.
const itemsBegin = `,"items":[` + "\n"

// send writes the list as JSON, one item a line.
func (l *List) send(w *bufio.Writer) error {
	head, err := json.Marshal(l)
	if err != nil {
		return err
	}
	w.Write(head[:len(head)-1])
	w.WriteString(itemsBegin)
	separator := ""
	for line, err := range l.Items {
		if err != nil {
			return err
		}
		w.WriteString(separator)
		w.Write(line)
		separator = ",\n"
	}
	w.WriteString("\n]}\n")
	return w.Flush()
}

// ReadList reads an encoded list up to its items. The items are read during
// iteration.
func ReadList(r io.Reader) (l List, err error) {
	lines := bufio.NewReaderSize(r, 64<<10)
	head, err := lines.ReadBytes('\n')
	if err != nil {
		return l, err
	}
	head, found := bytes.CutSuffix(head, []byte(itemsBegin))
	if err := json.Unmarshal(append(head, '}'), &l); err != nil || !found {
		return l, fmt.Errorf("read a list that the controller sent: %w", err)
	}
	first, err := lines.Peek(1)
	if err != nil {
		return l, err
	}
	l.Empty = first[0] == '\n'
	l.Items = func(yield func(json.RawMessage, error) bool) {
		for more := !l.Empty; more; {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				yield(nil, fmt.Errorf("the controller stopped while it answered; try again: %w", err))
				return
			}
			line, more = bytes.CutSuffix(line[:len(line)-1], []byte(","))
			if !yield(line, nil) {
				return
			}
		}
	}
	return l, nil
}

// Entry is an object with its status. Object and Status are shared and
// read-only.
type Entry struct {
	Key     resources.Key
	Object  resources.Object   // last good version; nil if none
	Status  any                // derived status: *TaskStatus, ...; reflects Problem too
	Problem *resources.Problem // problem of the file; nil if readable
	Holder  string             // owner of a task, as a cell; empty if none
	Foreign bool               // the owner is an agent or works in another working tree

	version  uint64   // resource version in the controller's cache; 0 if not from the cache
	served   *Serving // serving options of the Kubernetes form; nil for the printed form
	source   *Source  // source of the entry, in the Kubernetes form
	document *Document
}

// Kind returns the entry's row in the table of kinds.
func (e *Entry) Kind() *resources.Kind {
	kind, _ := resources.KindOf(e.Key.Kind)
	return kind
}

// Phase returns the phase of the object, or Invalid if its file is unreadable.
func (e *Entry) Phase() string {
	if common := resources.CommonOf(e.Status); common != nil {
		return common.Phase
	}
	return ""
}

// Labels returns the object's labels, or nil.
func (e *Entry) Labels() map[string]string {
	if e.Object == nil {
		return nil
	}
	return e.Object.Head().Metadata.Labels
}
