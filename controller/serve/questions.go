package serve

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/serve/frame"
	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
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
	kept    questions.Kept
}

// NewQuestions returns who answers for the repository at root until ctx ends: then nobody
// follows its changes any more.
func NewQuestions(ctx context.Context, root layout.Root, m *controller.Manager) *Questions {
	return &Questions{ctx: ctx, root: root, manager: m}
}

// ServeHTTP answers one question. 503 says that who asks is to read the files, and so does
// any other error: what is wrong is then said in the words of who asks.
func (q *Questions) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, _ := strings.CutPrefix(r.URL.Path, questionPath)
	question, known := questions.Named(name)
	if !known {
		Fail(w, http.StatusNotFound, "NotFound", "the server could not find the requested resource")
		return
	}
	if err := q.ready(r); err != nil {
		Fail(w, http.StatusServiceUnavailable, "ServiceUnavailable", err.Error())
		return
	}
	answer, err := question.Answer(questions.NewCache(q.root, q.manager.Client("questions"), &q.kept), r.URL.Query())
	if err != nil {
		Fail(w, http.StatusUnprocessableEntity, "Invalid", err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if questions.Send(w, answer) != nil {
		panic(http.ErrAbortHandler) // half an answer must not look like a whole one
	}
}

// ready returns nil when an answer is that of the files as they are now.
func (q *Questions) ready(r *http.Request) error {
	began := time.Now()
	if r.Header.Get(protocolHeader) != strconv.Itoa(frame.Protocol) {
		return errors.New("the controller speaks another protocol: read the files")
	}
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	for {
		err := q.manager.Certain(ctx)
		switch {
		case err == nil:
			return q.ctx.Err()
		case ctx.Err() != nil || time.Since(began) > levelFor:
			return err
		}
		time.Sleep(time.Millisecond)
	}
}
