package serve

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/serve/frame"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

const (
	// questionPath is the path prefix of questions, followed by the name and
	// the parameters.
	questionPath = "/q/"
	// protocolHeader names the protocol of the client.
	protocolHeader = "Idumb-Protocol"
	// syncTimeout is how long the controller waits for the cache to reflect the
	// files.
	syncTimeout = 100 * time.Millisecond
	// readyTimeout is the timeout for being ready to answer, including the
	// computation of statuses.
	readyTimeout = time.Second
)

// Questions answers the questions of package queries over HTTP from the controller's cache. It
// answers after the cache reflects the files and all statuses reflect the cache.
type Questions struct {
	ctx     context.Context
	root    layout.Root
	manager *controller.Manager
	extra   []queries.Question
	stock   *queries.Stock
	files   *inventory.Inventory
	serving *queries.Serving
}

// NewQuestions returns a handler for the repository at root. When ctx ends, it
// ends all streams. stock holds the input of the controller's packs; it may be
// nil. files is the index of the working tree. more lists additional questions.
func NewQuestions(ctx context.Context, root layout.Root, m *controller.Manager, stock *queries.Stock, files *inventory.Inventory, more ...queries.Question) *Questions {
	return &Questions{ctx: ctx, root: root, manager: m, stock: stock, files: files, extra: more, serving: &queries.Serving{Namespace: Namespace(root)}}
}

// named returns an additional question or one of package queries.
func (q *Questions) named(name string) (queries.Question, bool) {
	for _, one := range q.extra {
		if one.Name == name {
			return one, true
		}
	}
	return queries.Named(name)
}

// ServeHTTP answers questions, requests for objects and requests for change
// notifications.
func (q *Questions) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if name, found := strings.CutPrefix(r.URL.Path, questionPath); found {
		q.answer(w, r, name)
		return
	}
	if r.URL.Path == changesPath {
		q.changes(w, r)
		return
	}
	t, known := parseTarget(r.URL.Path)
	if !known {
		FailPath(w)
		return
	}
	if r.Method != http.MethodGet {
		FailMethod(w, http.MethodGet)
		return
	}
	v := r.URL.Query()
	o, err := ReadListOptions(v, r.Header.Get("Accept"))
	find := q.find(t, v)
	if err == nil {
		_, err = find.Choice()
	}
	if err != nil {
		Fail(w, http.StatusBadRequest, "BadRequest", err.Error())
		return
	}
	if err := q.Ready(r); err != nil {
		Fail(w, http.StatusServiceUnavailable, "ServiceUnavailable", err.Error())
		return
	}
	if o.Watch {
		q.watch(w, r, t, find, &o)
		return
	}
	q.get(w, t, find, &o)
}

// Serving returns the serving options, which may be modified before the first
// request.
func (q *Questions) Serving() *queries.Serving { return q.serving }

// Cache returns a view of the controller's cache.
func (q *Questions) Cache() *queries.Cache {
	return queries.NewCache(q.root, q.manager.Client("questions"), q.stock, q.files)
}

// answer answers one question. Code 503 and any other error tell the client to
// read the files itself. The client then reports problems in its own words.
func (q *Questions) answer(w http.ResponseWriter, r *http.Request, name string) {
	question, known := q.named(name)
	if !known {
		FailPath(w)
		return
	}
	parameters := r.URL.Query()
	if env := queries.Env(parameters); env != nil && !sameUser(env) {
		Fail(w, http.StatusServiceUnavailable, "ServiceUnavailable", "the client's settings are in another directory: read the files")
		return
	}
	if err := q.Ready(r); err != nil {
		Fail(w, http.StatusServiceUnavailable, "ServiceUnavailable", err.Error())
		return
	}
	answer, err := question.Answer(q.Cache().Source, parameters)
	if err != nil {
		Fail(w, http.StatusUnprocessableEntity, "Invalid", err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if queries.Send(w, answer) != nil {
		panic(http.ErrAbortHandler) // a truncated answer must not look complete
	}
}

// Ready returns nil if an answer reflects the current files. A client that
// names no protocol, such as curl or kubectl, cannot read the files instead.
// For it, Ready only waits for the first listing.
func (q *Questions) Ready(r *http.Request) error {
	began := time.Now()
	protocol := r.Header.Get(protocolHeader)
	if protocol != "" && protocol != strconv.Itoa(frame.Protocol) {
		return errors.New("the controller speaks another protocol: read the files")
	}
	ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
	defer cancel()
	if err := q.manager.WaitListed(ctx); err != nil {
		return err
	}
	for {
		switch err := q.manager.WaitCurrent(ctx); {
		case err == nil:
			return q.ctx.Err()
		case ctx.Err() == nil && time.Since(began) <= syncTimeout:
			time.Sleep(time.Millisecond)
		case protocol == "":
			return q.ctx.Err()
		default:
			return err
		}
	}
}
