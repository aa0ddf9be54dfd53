// Package page serves the page that users open in a browser. It listens on the
// local machine only, on demand, and answers only clients with a token. It has
// no logic of its own for data: objects, questions and watches come from
// package serve, and writes go through package mutate.
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

// Options configures Pages.
type Options struct {
	Root layout.Root
	API  http.Handler // serves objects and questions: serve.Questions
	Repo mutate.Repo  // writes on behalf of a user
	User string       // name of the user
	Log  *slog.Logger
}

// Pages is the HTTP handler with which clients of the controller open the page.
// It responds with a URL that is valid once. One site serves all pages; it
// starts when it is first needed. Create Pages with New. It is safe for
// concurrent use.
type Pages struct {
	Options
	// Counted makes open pages count as active requests, so that the controller
	// does not end; see serve.Server. It must be set before the first request.
	// It may be nil.
	Counted func(http.Handler) http.Handler

	acts []acts.Act
	ctx  context.Context
	mu   sync.Mutex
	site *site // nil if not listening
}

// New returns Pages that are valid until ctx ends.
func New(ctx context.Context, o Options) *Pages {
	return &Pages{Options: o, ctx: ctx, acts: pageActs(acts.All())}
}

// OpenResponse is the response to a request for a page.
type OpenResponse struct {
	URL      string `json:"url"`                // contains the code, which is valid once and for a short time
	Seconds  int    `json:"seconds"`            // validity of the code
	ReadOnly string `json:"readOnly,omitempty"` // why the page cannot write; empty if it can
}

// ServeHTTP opens a page for a client of the controller's socket.
func (p *Pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s, err := p.open()
	if err != nil {
		serve.Fail(w, http.StatusServiceUnavailable, "ServiceUnavailable", "no page can be opened: "+err.Error())
		return
	}
	readOnly := p.readOnly(r)
	code := s.grants.issue(readOnly, time.Now())
	serve.Answer(w, http.StatusOK, OpenResponse{URL: "http://" + s.host + "/#once=" + code, Seconds: int(codeLife / time.Second), ReadOnly: readOnly})
}

// readOnly returns the reason why the client's page cannot write. It returns ""
// if the client is a user.
func (p *Pages) readOnly(r *http.Request) string {
	peer, known := serve.PeerOfRequest(r)
	if !known || peer.PID == 0 {
		return "the client of this page could not be identified as a user: the page is read-only"
	}
	if _, found := callers.AgentOf(p.Root, peer.PID); found {
		return "an agent opened this page: the page is read-only"
	}
	return ""
}

// open returns the site and starts it if necessary.
func (p *Pages) open() (*site, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.ctx.Err(); err != nil {
		return nil, err
	}
	if p.site != nil && p.site.extend() {
		return p.site, nil
	}
	s, err := listen(p)
	if err == nil {
		p.site = s
	}
	return s, err
}
