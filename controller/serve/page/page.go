// Package page serves the page that people look at in a browser: on this machine only, on demand,
// and to nobody but who was handed its token. It draws nothing and knows nothing: objects,
// questions and watches are those of package serve, writes those of package mutate.
package page

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/acts"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// Options say what pages show, and who writes for them.
type Options struct {
	Root layout.Root
	API  http.Handler // answers for objects and questions: serve.Questions
	Repo mutate.Repo  // writes for a person
	By   string       // how that person is called
	Log  *slog.Logger
}

// Pages opens pages for who may ask the controller. Make it with New. It may be used by many at once.
type Pages struct {
	Options
	// Counted has those who look at a page count as ones who look on, so that the controller does
	// not end; see serve.Server. Set it before anybody asks; nil: they do not count.
	Counted func(http.Handler) http.Handler

	acts []acts.Act
	ctx  context.Context
	mu   sync.Mutex
	site *site // nil: nobody listens
}

// New returns what opens pages until ctx ends.
func New(ctx context.Context, o Options) *Pages {
	return &Pages{Options: o, ctx: ctx, acts: drawn(acts.All())}
}

// Opened is what who asks for a page is told.
type Opened struct {
	URL      string `json:"url"`                // holds the code, which works once and for a moment
	Seconds  int    `json:"seconds"`            // how long it works
	ReadOnly string `json:"readOnly,omitempty"` // why the page cannot write; "" where it can
}

// ServeHTTP opens a page for who asks over the controller's socket.
func (p *Pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s, err := p.open()
	if err != nil {
		serve.Fail(w, http.StatusServiceUnavailable, "ServiceUnavailable", "no page can be opened: "+err.Error())
		return
	}
	readOnly := p.readOnly(r)
	code := s.grants.issue(readOnly, time.Now())
	serve.Answer(w, http.StatusOK, Opened{URL: "http://" + s.host + "/#once=" + code, Seconds: int(codeLife / time.Second), ReadOnly: readOnly})
}

// readOnly says why who asks may only look; "" where they may write: a person.
func (p *Pages) readOnly(r *http.Request) string {
	peer, known := serve.PeerOfRequest(r)
	if !known || peer.PID == 0 {
		return "who asked for this page is not known to be a person: it can only look"
	}
	if _, found := callers.Above(p.Root, peer.PID); found {
		return "an agent asked for this page: it can only look"
	}
	return ""
}

// open makes sure that somebody listens.
func (p *Pages) open() (*site, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.ctx.Err(); err != nil {
		return nil, err
	}
	if p.site != nil && p.site.stay() {
		return p.site, nil
	}
	s, err := listen(p)
	if err == nil {
		p.site = s
	}
	return s, err
}
