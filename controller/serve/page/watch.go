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

// watch sends the events of several kinds (parameter kind) as one stream,
// because a browser allows few connections to one site. The lines are those of
// a watch of each kind. A kind's watch starts at the version in the parameter
// with the kind's name, as in TaskNode=12, or with all existing objects. When a
// grant is revoked, the stream reports it, because several pages may share the
// stream.
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
	revoked := g.owner.next() // before the first line, so that the page misses no revocation after it
	var all sync.WaitGroup
	for _, kind := range slices.Compact(kinds) {
		all.Go(func() {
			defer cancel() // if one watch ends, end all of them
			p.API.ServeHTTP(&kindWriter{merged: out, header: http.Header{}}, plainRequest(r.WithContext(ctx), "/apis/"+resources.APIVersion+"/"+kind, watchParameters(kind, asked)))
		})
	}
	all.Go(func() {
		defer cancel()
		reportRevocations(ctx, g, revoked, out)
	})
	all.Wait()
}

// watchParameters returns the query of one kind's watch, which begins at the
// kind's version in asked, or with all existing objects.
func watchParameters(kind string, asked url.Values) string {
	query := url.Values{"watch": {"true"}, "progress": {"true"}, "form": {"printed"}}
	k, _ := resources.KindOf(kind)
	if version := asked.Get(k.Name); version != "" {
		query.Set("resourceVersion", version)
	} else {
		query.Set("sendInitialEvents", "true")
	}
	return query.Encode()
}

// reportRevocations reports each revoked grant on the stream, until the stream's own
// grant is revoked. The channel next is closed at the first revocation.
func reportRevocations(ctx context.Context, g *grant, next <-chan struct{}, out *merged) {
	for {
		if g.isRevoked() {
			return
		}
		select {
		case <-next:
			next = g.owner.next() // before the line, as in watch
			if out.line([]byte(`{"type":"REVOKED"}`+"\n")) != nil {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// merged is a response to which several goroutines write whole lines.
type merged struct {
	mu   sync.Mutex
	w    http.ResponseWriter
	conn *http.ResponseController
}

// readTimeout is the timeout for a page to read the stream.
const readTimeout = 30 * time.Second

// line writes lines. It fails if the page does not read within readTimeout.
func (m *merged) line(lines []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.conn.SetWriteDeadline(time.Now().Add(readTimeout)); err != nil {
		return err
	}
	if _, err := m.w.Write(lines); err != nil {
		return err
	}
	return m.conn.Flush()
}

// kindWriter is the response writer of one kind's watch.
type kindWriter struct {
	merged  *merged
	header  http.Header
	failed  bool
	partial []byte // incomplete line
}

// Header returns a header that is discarded, because the response has its own.
func (s *kindWriter) Header() http.Header { return s.header }

// WriteHeader notes whether the body is an error.
func (s *kindWriter) WriteHeader(code int) { s.failed = code >= http.StatusBadRequest }

// Write forwards complete lines.
func (s *kindWriter) Write(data []byte) (int, error) {
	s.partial = append(s.partial, data...)
	end := bytes.LastIndexByte(s.partial, '\n') + 1
	if end == 0 {
		return len(data), nil
	}
	lines := s.partial[:end]
	if s.failed {
		lines = slices.Concat([]byte(`{"type":"ERROR","object":`), bytes.TrimSpace(lines), []byte("}\n"))
	}
	err := s.merged.line(lines)
	s.partial = slices.Clone(s.partial[end:])
	return len(data), err
}

// FlushError does nothing, because complete lines are already sent.
func (s *kindWriter) FlushError() error { return nil }

// SetWriteDeadline does nothing, because each line has its own deadline.
func (s *kindWriter) SetWriteDeadline(time.Time) error { return nil }
