package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
)

// bookmarkInterval is the interval of bookmarks in a watch.
const bookmarkInterval = time.Minute

// stream is the response of one watch.
type stream struct {
	*ListOptions
	kind   *resources.Kind
	choice queries.Choice
	*EventWriter
	columnsSent bool // the columns of a table were sent
}

// watch sends changes, starting at a version or with all existing objects. It
// ends when the client disconnects, the timeout passes or the controller ends.
func (q *Questions) watch(w http.ResponseWriter, r *http.Request, t target, find *queries.Find, o *ListOptions) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(q.ctx, cancel)()
	if o.Timeout > 0 {
		ctx, cancel = context.WithTimeout(ctx, o.Timeout)
		defer cancel()
	}
	s := &stream{ListOptions: o, kind: t.kind, EventWriter: NewEventWriter(w)}
	s.choice, _ = find.Choice() // validated before
	version, err := o.Version, s.Flush()
	if o.InitialEvents && err == nil {
		version, err = s.sendInitial(q.Cache(), find)
	}
	for err == nil {
		version, err = s.sendChanges(ctx, q.Cache(), find, version)
	}
	if errors.Is(err, controller.ErrExpired) {
		expired := Failure(http.StatusGone, "Expired", fmt.Sprintf("%s: %d", err, version))
		_ = s.Send(queries.Failed, expired)
		_ = s.Flush()
	}
}

// sendInitial sends all existing objects and returns their version.
func (s *stream) sendInitial(cache *queries.Cache, find *queries.Find) (uint64, error) {
	found, err := find.Run(cache.Source)
	for _, e := range found.Entries {
		if err == nil {
			err = s.sendEntry(queries.Added, e, cache.Now())
		}
	}
	if err == nil && s.EndBookmark {
		err = s.bookmark(found.Version, map[string]string{queries.InitialEventsEnd: "true"})
	}
	return found.Version, errors.Join(err, s.Flush())
}

// sendChanges waits for changes, sends them and returns the version that was reached.
func (s *stream) sendChanges(ctx context.Context, cache *queries.Cache, find *queries.Find, version uint64) (uint64, error) {
	waiting, cancel := ctx, func() {}
	if s.Bookmarks {
		waiting, cancel = context.WithTimeout(ctx, bookmarkInterval)
	}
	steps, err := cache.Steps(waiting, version)
	cancel()
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil { // no change within the interval
		return version, errors.Join(s.bookmark(version, nil), s.Flush())
	}
	sent := false
	for i := range steps {
		if key := steps[i].New.Key; err == nil && find.Names(key) {
			if what, e := cache.EventOf(&steps[i], &s.choice); e != nil {
				err, sent = s.sendEntry(what, e, cache.Now()), true
			}
		}
		version = steps[i].New.Version
	}
	if err == nil && sent && s.Progress {
		err = s.bookmark(version, nil)
	}
	if err != nil {
		return version, err
	}
	return version, s.Flush()
}

// sendEntry sends one event of an object, as a row if the client requested a table.
func (s *stream) sendEntry(what string, e *queries.Entry, now time.Time) error {
	if s.Form != AsTable {
		line, err := s.line(e)
		return errors.Join(err, s.Send(what, line))
	}
	row := s.Shape.Table(e.Key.Kind, []*queries.Entry{e}, now)
	row.Metadata.ResourceVersion = e.ResourceVersion()
	if s.columnsSent {
		row.Columns = nil
	}
	s.columnsSent = true
	return s.Send(what, row)
}

// bookmark sends a bookmark with the current version.
func (s *stream) bookmark(version uint64, annotations map[string]string) error {
	meta := queries.Metadata{ResourceVersion: strconv.FormatUint(version, 10), Annotations: annotations}
	return s.Send(queries.Bookmark, queries.Document{APIVersion: resources.APIVersion, Kind: s.kind.Name, Metadata: meta})
}

// readTimeout is the timeout for a client to read the events of a watch.
const readTimeout = 30 * time.Second

// EventWriter writes the events of one watch, one per line.
type EventWriter struct {
	writer *bufio.Writer
	conn   *http.ResponseController
}

// NewEventWriter starts the response of a watch. Flush sends its header.
func NewEventWriter(w http.ResponseWriter) *EventWriter {
	w.Header().Set("Content-Type", "application/json")
	return &EventWriter{bufio.NewWriterSize(w, 32<<10), http.NewResponseController(w)}
}

// Send writes an event of a type (queries.Added, ...) with an object. The
// object may be a json.RawMessage.
func (s *EventWriter) Send(what string, object any) error {
	line, encoded := object.(json.RawMessage)
	var err error
	if !encoded {
		line, err = queries.Line(object)
	}
	fmt.Fprintf(s.writer, `{"type":%q,"object":`, what)
	s.writer.Write(line)
	s.writer.WriteString("}\n")
	return err
}

// Flush sends the written events. It fails if the client does not read within
// readTimeout.
func (s *EventWriter) Flush() error {
	err := s.conn.SetWriteDeadline(time.Now().Add(readTimeout))
	return errors.Join(err, s.writer.Flush(), s.conn.Flush())
}
