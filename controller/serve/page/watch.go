package page

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/resources"
)

// watch sends what happens to the objects of several kinds (kind) as one stream of the lines that a
// watch of each of them has: a browser has few connections to one site. A kind is followed from the
// version that a parameter of its name says, as TaskNode=12, else from all that is there. When a
// grant is revoked, whoever follows is told: they may be one stream for several pages.
func (p *Pages) watch(w http.ResponseWriter, r *http.Request, g *grant) {
	asked := r.URL.Query()
	kinds := asked["kind"]
	for _, kind := range kinds {
		if _, known := resources.KindOf(kind); !known {
			serve.Fail(w, http.StatusBadRequest, "BadRequest", "there is no kind "+kind)
			return
		}
	}
	slices.Sort(kinds)
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	w.Header().Set("Content-Type", "application/json")
	out := &merged{w: w, conn: http.NewResponseController(w)}
	var all sync.WaitGroup
	for _, kind := range slices.Compact(kinds) {
		all.Go(func() {
			defer cancel() // where one cannot go on all begin anew
			p.API.ServeHTTP(&strand{out: out, header: http.Header{}}, bare(r.WithContext(ctx), objectsPath(kind), from(kind, asked)))
		})
	}
	all.Go(func() {
		defer cancel()
		tellRevoked(ctx, g, out)
	})
	all.Wait()
}

// from are the parameters of the watch of one kind.
func from(kind string, asked url.Values) string {
	query := url.Values{"watch": {"true"}, "progress": {"true"}, "form": {"printed"}}
	k, _ := resources.KindOf(kind)
	if version := asked.Get(k.Name); version != "" {
		query.Set("resourceVersion", version)
	} else {
		query.Set("sendInitialEvents", "true")
	}
	return query.Encode()
}

// tellRevoked says so whenever a grant is revoked, until that is the one which follows.
func tellRevoked(ctx context.Context, g *grant, out *merged) {
	for {
		next := g.of.next()
		if g.over() {
			return
		}
		select {
		case <-next:
			if out.line([]byte(`{"type":"REVOKED"}`+"\n")) != nil {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// merged is an answer to which several write whole lines.
type merged struct {
	mu   sync.Mutex
	w    http.ResponseWriter
	conn *http.ResponseController
}

// readPatience is how long a page may take to read what it is sent.
const readPatience = 30 * time.Second

// line writes lines. Whoever does not read them for long is not waited for.
func (m *merged) line(lines []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.conn.SetWriteDeadline(time.Now().Add(readPatience)); err != nil {
		return err
	}
	if _, err := m.w.Write(lines); err != nil {
		return err
	}
	return m.conn.Flush()
}

// strand is the answer of one of them.
type strand struct {
	out    *merged
	header http.Header
	failed bool
	rest   []byte // a line that has no end yet
}

// Header is its own: what the page is told was said before.
func (s *strand) Header() http.Header { return s.header }

// WriteHeader notes that what follows is a refusal.
func (s *strand) WriteHeader(code int) { s.failed = code >= http.StatusBadRequest }

// Write passes on whole lines.
func (s *strand) Write(data []byte) (int, error) {
	s.rest = append(s.rest, data...)
	end := bytes.LastIndexByte(s.rest, '\n') + 1
	if end == 0 {
		return len(data), nil
	}
	lines := s.rest[:end]
	if s.failed {
		lines = slices.Concat([]byte(`{"type":"ERROR","object":`), bytes.TrimSpace(lines), []byte("}\n"))
	}
	err := s.out.line(lines)
	s.rest = slices.Clone(s.rest[end:])
	return len(data), err
}

// FlushError does nothing: whole lines are on their way.
func (s *strand) FlushError() error { return nil }

// SetWriteDeadline does nothing: each line has one.
func (s *strand) SetWriteDeadline(time.Time) error { return nil }
