package serve

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// objectsPath is the prefix of the paths of all objects, as in Kubernetes.
const objectsPath = "/apis/" + resources.APIVersion + "/"

// target is a parsed path of one or more objects.
type target struct {
	kind      *resources.Kind
	name      string // empty means all objects of the kind
	namespace string // empty means all namespaces
}

// parseTarget parses paths like tasks, tasks/foo and tasks/foo/status, with or
// without a namespace. known is false for any other path and for unknown kinds.
func parseTarget(path string) (t target, known bool) {
	rest, ours := strings.CutPrefix(path, objectsPath)
	parts := strings.Split(rest, "/")
	if len(parts) > 2 && parts[0] == "namespaces" {
		t.namespace, parts = parts[1], parts[2:]
	}
	if t.kind, known = resources.KindOf(parts[0]); len(parts) > 1 {
		t.name = parts[1]
		known = known && t.name != "" && (len(parts) == 2 || len(parts) == 3 && parts[2] == "status")
	}
	return t, ours && known
}

// Namespace returns the namespace of all objects of a repository: the name of
// its directory, as a DNS label.
func Namespace(root layout.Root) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(filepath.Base(string(root))))
	name = strings.Trim(name[:min(len(name), 63)], "-")
	if name == "" {
		return "default"
	}
	return name
}

// line encodes an object as one line of JSON, in a form other than a table.
func (o *ListOptions) line(e *queries.Entry) (json.RawMessage, error) {
	if o.Form == Partial {
		return e.Partial().Line()
	}
	return e.Line()
}

// find returns the query for a path. With form=printed, objects have the
// revisions of their files and no namespace, as commands print them.
func (q *Questions) find(t target, v url.Values) *queries.Find {
	find := queries.ReadFind(v)
	find.Kinds, find.Keys, find.Whole, find.Served = nil, nil, true, q.serving
	switch {
	case t.namespace != "" && t.namespace != q.serving.Namespace: // no objects in other namespaces
	case t.name != "":
		find.Keys = []resources.Key{{Kind: t.kind.Plural, Name: t.name}}
	default:
		find.Kinds = []string{t.kind.Plural}
	}
	if v.Get("form") == "printed" {
		find.Served = nil
	}
	return find
}

// get answers with the objects that find selects, as a table or a list, or with one object if the
// path names it.
func (q *Questions) get(w http.ResponseWriter, t target, find *queries.Find, o *ListOptions) {
	cache := q.Cache()
	found, err := find.Run(cache.Source)
	if err != nil {
		Fail(w, http.StatusInternalServerError, "InternalError", err.Error())
		return
	}
	if t.name != "" && len(found.Entries) == 0 {
		var notFound *apierrors.Status
		key := resources.Key{Kind: t.kind.Plural, Name: t.name}
		status := Failure(http.StatusNotFound, "NotFound", "")
		if err := apierrors.NotFound(key); errors.As(err, &notFound) {
			status.Message = notFound.Message
		}
		status.Details = &StatusDetails{Name: t.name, Group: resources.Group, Kind: t.kind.Plural}
		Answer(w, http.StatusNotFound, status)
		return
	}
	var answer any
	switch list := found.KindList(t.kind, o.line); {
	case o.Form == AsTable:
		rows := o.Shape.Table(t.kind.Plural, found.Entries, cache.Now())
		rows.Metadata = found.Meta()
		answer = rows
	case t.name != "":
		answer, err = o.line(found.Entries[0])
	case o.Form == Partial:
		list.Kind, list.APIVersion = Partial+"List", "meta.k8s.io/v1"
		answer = list
	default:
		answer = list
	}
	w.Header().Set("Content-Type", "application/json")
	if err != nil || queries.Send(w, answer) != nil {
		panic(http.ErrAbortHandler) // a truncated answer must not look complete
	}
}
