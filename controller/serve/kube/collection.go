package kube

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/selectors"
)

// collection is a read-only resource without files.
type collection struct {
	columns []queries.ColumnOf[item]
	// list returns all items, with the version of the newest change.
	list func(s *Server) ([]item, uint64, error)
	// polling interval of a watch; 0 if items do not change
	interval time.Duration
}

// item is one object of a collection.
type item struct {
	meta    queries.Metadata
	version uint64 // version of its last change
	digest  uint64 // hash of the content that changes without a version; 0 if none
	full    any    // decoded JSON
	cells   []string
	ageBase time.Time // base of its age
}

// cell returns a column that shows the nth cell.
func cell(header string, n int) queries.ColumnOf[item] {
	return queries.ColumnOf[item]{Header: header, Cell: func(of item, _ time.Time) string { return of.cells[n] }}
}

// nameColumn returns the column that shows the names.
func nameColumn() queries.ColumnOf[item] {
	return queries.ColumnOf[item]{Header: "NAME", Cell: func(of item, _ time.Time) string { return of.meta.Name }}
}

// ageColumn returns a column that shows the ages.
func ageColumn(header string) queries.ColumnOf[item] {
	return queries.ColumnOf[item]{Header: header, Cell: func(of item, now time.Time) string { return queries.Age(of.ageBase, now) }}
}

// readRequest is one request for a collection.
type readRequest struct {
	serve.ListOptions
	server *Server
	group  *group
	*resource
	name    string // empty means all
	labels  selectors.Labels
	fields  selectors.Fields
	isEmpty bool // the requested namespace is empty
}

// serveCollection returns the handler of a collection, which answers only GET.
func (s *Server) serveCollection(g *group, r *resource) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if request.Method != http.MethodGet {
			serve.FailMethod(w, http.MethodGet)
			return
		}
		switch q, known, err := s.read(g, r, request); {
		case !known:
			serve.FailPath(w)
		case err != nil:
			serve.Fail(w, http.StatusBadRequest, "BadRequest", err.Error())
		case q.Watch:
			q.watch(request.Context(), w)
		default:
			q.get(w)
		}
	})
}

// read parses a request for a collection. known is false for a path that names no resource.
func (s *Server) read(g *group, r *resource, request *http.Request) (q *readRequest, known bool, err error) {
	v := request.URL.Query()
	q = &readRequest{server: s, group: g, resource: r}
	namespace := request.PathValue("namespace")
	q.isEmpty = namespace != "" && namespace != s.namespace
	_, rest, _ := strings.Cut(strings.TrimPrefix(request.URL.Path, g.path()), "/"+r.plural)
	q.name = strings.TrimPrefix(rest, "/")
	if strings.Contains(q.name, "/") || rest == "/" {
		return q, false, nil
	}
	if q.ListOptions, err = serve.ReadListOptions(v, request.Header.Get("Accept")); err != nil {
		return q, true, err
	}
	if q.labels, err = selectors.ParseLabels(v.Get("labelSelector")); err != nil {
		return q, true, err
	}
	q.fields, err = selectors.ParseFields(v.Get("fieldSelector"))
	return q, true, err
}

// find returns the items that match the name and the selectors of the request, with the version of
// the collection.
func (q *readRequest) find() ([]item, uint64, error) {
	all, version, err := q.collection.list(q.server)
	taken := func(i item) bool {
		return !q.isEmpty && (q.name == "" || i.meta.Name == q.name) && q.labels.Matches(i.meta.Labels) && (q.fields == nil || q.fields.Matches(i.full))
	}
	return slices.DeleteFunc(all, func(i item) bool { return !taken(i) }), version, err
}

// get answers with the items that match the request, as a table or a list, or with one item if the
// path names it.
func (q *readRequest) get(w http.ResponseWriter) {
	switch items, version, err := q.find(); {
	case err != nil:
		serve.Fail(w, http.StatusInternalServerError, "InternalError", err.Error())
	case q.name != "" && len(items) == 0:
		serve.Answer(w, http.StatusNotFound, notFound(q.group, q.plural, q.name))
	case q.Form == serve.AsTable:
		serve.Answer(w, http.StatusOK, q.table(items, version))
	case q.name != "":
		serve.Answer(w, http.StatusOK, q.encode(items[0]))
	default:
		all := make([]any, len(items))
		for i := range items {
			all[i] = q.encode(items[i])
		}
		kind, apiVersion := q.kind, q.group.apiVersion()
		if q.Form == serve.Partial {
			kind, apiVersion = serve.Partial, metaVersion
		}
		serve.Answer(w, http.StatusOK, object{"kind": kind + "List", "apiVersion": apiVersion, "metadata": object{"resourceVersion": strconv.FormatUint(version, 10)}, "items": all})
	}
}

// metaVersion is the API version of Kubernetes types that are independent of
// the kind.
const metaVersion = "meta.k8s.io/v1"

// encode returns an object in the requested form, which is not a table.
func (q *readRequest) encode(i item) any {
	if q.Form == serve.Partial {
		return partial(i)
	}
	return i.full
}

// partial returns an item as PartialObjectMetadata.
func partial(i item) queries.Document {
	return queries.Document{Kind: serve.Partial, APIVersion: metaVersion, Metadata: i.meta}
}

// table is a table with rows that may contain any object.
type table struct {
	queries.Table
	Rows []row `json:"rows"`
}

// row is a row of a table.
type row struct {
	Cells  []string `json:"cells"`
	Object any      `json:"object,omitempty"`
}

// table returns items as a table. The rows contain the objects or their metadata if the client
// requested that.
func (q *readRequest) table(items []item, version uint64) table {
	t := table{Table: queries.TableOf(q.Shape, q.plural, q.collection.columns, items, time.Now()), Rows: make([]row, len(items))}
	t.Metadata.ResourceVersion = strconv.FormatUint(version, 10)
	for i := range items {
		t.Rows[i].Cells = t.Table.Rows[i].Cells[:len(t.Columns)]
		switch {
		case q.Shape.Objects:
			t.Rows[i].Object = items[i].full
		case q.Shape.Metadata:
			t.Rows[i].Object = partial(items[i])
		}
	}
	return t
}

// watch sends the initial objects, if requested, and changes. It ends when the
// client disconnects or the timeout passes.
func (q *readRequest) watch(ctx context.Context, w http.ResponseWriter) {
	cancel := func() {}
	if q.Timeout > 0 {
		ctx, cancel = context.WithTimeout(ctx, q.Timeout)
	}
	defer cancel()
	f := follower{readRequest: q, EventWriter: serve.NewEventWriter(w), sentItems: map[string]item{}}
	err := f.begin()
	for err == nil {
		every := q.collection.interval
		if every == 0 {
			every = bookmarkInterval
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(every):
			err = f.step()
		}
	}
}

// bookmarkInterval is the interval of bookmarks in a watch.
const bookmarkInterval = time.Minute

// follower sends the changes of a collection.
type follower struct {
	*readRequest
	*serve.EventWriter
	sentItems    map[string]item // sent items by name
	version      uint64
	lastBookmark time.Time // time of the last bookmark
	columnsSent  bool      // the columns of a table were sent
}

// begin sends all items. If the watch starts at a version, it marks older items
// as sent instead.
func (f *follower) begin() error {
	err := f.Flush()
	if !f.InitialEvents {
		items, _, found := f.find()
		err = errors.Join(err, found)
		for _, i := range items {
			if i.version <= f.Version {
				f.sentItems[i.meta.Name] = i
			}
		}
	}
	if err == nil {
		err = f.step()
	}
	if err == nil && f.EndBookmark {
		err = f.bookmark(map[string]string{queries.InitialEventsEnd: "true"})
	}
	return errors.Join(err, f.Flush())
}

// step sends the changes since the last step.
func (f *follower) step() error {
	items, version, err := f.find()
	if err != nil {
		return nil // the source was moved away and may come back
	}
	f.version = max(f.version, version)
	there := map[string]bool{}
	for _, i := range items {
		there[i.meta.Name] = true
		switch before, known := f.sentItems[i.meta.Name]; {
		case !known:
			err = f.send(queries.Added, i)
		case before.version != i.version || before.digest != i.digest:
			err = f.send(queries.Modified, i)
		}
		if f.sentItems[i.meta.Name] = i; err != nil {
			return err
		}
	}
	for name, i := range f.sentItems {
		if !there[name] {
			delete(f.sentItems, name)
			err = errors.Join(err, f.send(queries.Deleted, i))
		}
	}
	if f.Bookmarks && time.Since(f.lastBookmark) > bookmarkInterval {
		err = errors.Join(err, f.bookmark(nil))
	}
	return errors.Join(err, f.Flush())
}

// send sends an event about an item. In the form of a table it sends the columns only once.
func (f *follower) send(what string, i item) error {
	if f.Form != serve.AsTable {
		return f.Send(what, f.encode(i))
	}
	t := f.table([]item{i}, i.version)
	if f.columnsSent {
		t.Columns = nil
	}
	f.columnsSent = true
	return f.Send(what, t)
}

// bookmark sends the current version, from which a client can watch again.
func (f *follower) bookmark(annotations map[string]string) error {
	f.lastBookmark = time.Now()
	meta := queries.Metadata{ResourceVersion: strconv.FormatUint(f.version, 10), Annotations: annotations}
	return f.Send(queries.Bookmark, queries.Document{APIVersion: f.group.apiVersion(), Kind: f.kind, Metadata: meta})
}

// asObject converts a value to decoded JSON, for access by field names.
func asObject(value any) (object, error) {
	data, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var o object
	err = json.Unmarshal(data, &o)
	return o, err
}

// namespaceResource returns the resource that lists the only namespace.
func namespaceResource() resource {
	return resource{
		plural: "namespaces", singular: "namespace", kind: "Namespace", short: []string{"ns"}, verbs: readVerbs(), cluster: true,
		collection: &collection{
			columns: []queries.ColumnOf[item]{nameColumn(), cell("STATUS", 0), ageColumn("AGE")},
			list:    func(s *Server) ([]item, uint64, error) { return []item{s.ownNamespace()}, s.startVersion(), nil },
		},
	}
}

// ownNamespace returns the only namespace, which is named after the repository.
func (s *Server) ownNamespace() item {
	meta := s.fixedMeta("namespaces", s.namespace)
	meta.Labels = map[string]string{"kubernetes.io/metadata.name": s.namespace}
	return item{meta: meta, version: s.startVersion(), ageBase: s.started, cells: []string{"Active"}, full: object{
		"apiVersion": "v1", "kind": "Namespace", "metadata": meta, "spec": object{}, "status": object{"phase": "Active"},
	}}
}

// startVersion returns the version of constant objects: the start time of the
// server.
func (s *Server) startVersion() uint64 { return uint64(s.started.UnixMilli()) }

// fixedMeta returns the metadata of a constant cluster-scoped object.
func (s *Server) fixedMeta(plural, name string) queries.Metadata {
	return queries.Metadata{
		Name: name, UID: resources.DerivedUID(resources.Key{Kind: plural, Name: name}), ResourceVersion: versionText(s.startVersion()), CreationTimestamp: resources.NewTime(s.started),
	}
}
