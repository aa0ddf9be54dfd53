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
	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

const (
	// questionPath begins the path of each question; its name and parameters follow.
	questionPath = "/q/"
	// protocolHeader says which protocol who asks speaks.
	protocolHeader = "Idumb-Protocol"
	// levelFor is how long the controller tries to be level with the files before it answers.
	levelFor = 100 * time.Millisecond
	// patience is how long all may take before it answers: statuses may have to be computed.
	patience = time.Second
)

// Questions answers those of package questions over HTTP from the controller's cache, once it
// is level with the files and its statuses are of what stands there.
type Questions struct {
	ctx     context.Context
	root    layout.Root
	manager *controller.Manager
	more    []questions.Question
	stock   *questions.Stock
	files   *inventory.Inventory
	serving *questions.Serving
}

// NewQuestions returns who answers for the repository at root until ctx ends: then nobody
// follows its changes any more. stock is what the controller packs with; nil: nothing. files is
// what it knows of the working tree. Beside package questions it answers some more.
func NewQuestions(ctx context.Context, root layout.Root, m *controller.Manager, stock *questions.Stock, files *inventory.Inventory, more ...questions.Question) *Questions {
	return &Questions{ctx: ctx, root: root, manager: m, stock: stock, files: files, more: more, serving: &questions.Serving{Namespace: Namespace(root)}}
}

func (q *Questions) named(name string) (questions.Question, bool) {
	for _, one := range q.more {
		if one.Name == name {
			return one, true
		}
	}
	return questions.Named(name)
}

// ServeHTTP answers a question, or for objects, or tells that something changed.
func (q *Questions) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if name, found := strings.CutPrefix(r.URL.Path, questionPath); found {
		q.answer(w, r, name)
		return
	}
	if r.URL.Path == changesPath {
		q.changes(w, r)
		return
	}
	q.serveObjects(w, r)
}

// Serving says how objects are served. It may be completed before anybody asks.
func (q *Questions) Serving() *questions.Serving { return q.serving }

// Cache is what the controller knows at this moment.
func (q *Questions) Cache() *questions.Cache {
	return questions.NewCache(q.root, q.manager.Client("questions"), q.stock, q.files)
}

// answer answers one question. 503 says that who asks is to read the files, and so does
// any other error: what is wrong is then said in the words of who asks.
func (q *Questions) answer(w http.ResponseWriter, r *http.Request, name string) {
	question, known := q.named(name)
	if !known {
		FailPath(w)
		return
	}
	parameters := r.URL.Query()
	if env := questions.Env(parameters); env != nil && !samePerson(env) {
		Fail(w, http.StatusServiceUnavailable, "ServiceUnavailable", "who asks keeps their settings elsewhere: read the files")
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
	if questions.Send(w, answer) != nil {
		panic(http.ErrAbortHandler) // half an answer must not look like a whole one
	}
}

// Ready returns nil when an answer is that of the files as they are now. Who names no
// protocol, as curl and kubectl, does not read the files in place of it: they get what is known.
func (q *Questions) Ready(r *http.Request) error {
	began := time.Now()
	protocol := r.Header.Get(protocolHeader)
	if protocol != "" && protocol != strconv.Itoa(frame.Protocol) {
		return errors.New("the controller speaks another protocol: read the files")
	}
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	if err := q.manager.WaitListed(ctx); err != nil {
		return err
	}
	for {
		err := q.manager.Certain(ctx)
		switch {
		case err == nil:
			return q.ctx.Err()
		case ctx.Err() == nil && time.Since(began) <= levelFor:
			time.Sleep(time.Millisecond)
		case protocol == "":
			return q.ctx.Err()
		default:
			return err
		}
	}
}
