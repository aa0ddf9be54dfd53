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
	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/resources"
)

const (
	// bookmarkEvery is how often a watch says how far it is.
	bookmarkEvery = time.Minute
	// readPatience is how long what a watch sends may wait for its reader.
	readPatience = 30 * time.Second
)

// stream sends the events of one watch.
type stream struct {
	*options
	kind      *resources.Kind
	choice    questions.Choice
	out       *bufio.Writer
	conn      *http.ResponseController
	described bool // the columns of a table were sent
}

// watch sends what changes, from a version on or from all that is there, until who asked hangs
// up, their time is over or the controller ends.
func (q *Questions) watch(w http.ResponseWriter, r *http.Request, t target, find *questions.Find, o *options) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(q.ctx, cancel)()
	if o.timeout > 0 {
		ctx, cancel = context.WithTimeout(ctx, o.timeout)
		defer cancel()
	}
	w.Header().Set("Content-Type", "application/json")
	s := &stream{options: o, kind: t.kind, out: bufio.NewWriterSize(w, 32<<10), conn: http.NewResponseController(w)}
	s.choice, _ = find.Choice() // it was read once
	version, err := o.version, s.flush()
	if o.initial && err == nil {
		version, err = s.begin(q.cache(), find)
	}
	for err == nil {
		version, err = s.goOn(ctx, q.cache(), find, version)
	}
	if errors.Is(err, controller.ErrExpired) {
		expired := failure(http.StatusGone, "Expired", fmt.Sprintf("%s: %d", err, version))
		_ = s.send(questions.Failed, expired)
		_ = s.flush()
	}
}

// begin sends all that is there, and returns the version of that.
func (s *stream) begin(cache *questions.Cache, find *questions.Find) (uint64, error) {
	found, err := find.In(cache.Source)
	for _, e := range found.Entries {
		if err == nil {
			err = s.sendEntry(questions.Added, e, cache.Now())
		}
	}
	if err == nil && s.mark {
		err = s.bookmark(found.Version, map[string]string{questions.InitialEventsEnd: "true"})
	}
	return found.Version, errors.Join(err, s.flush())
}

// goOn waits for changes, sends them and returns the version that was reached.
func (s *stream) goOn(ctx context.Context, cache *questions.Cache, find *questions.Find, version uint64) (uint64, error) {
	waiting, cancel := ctx, func() {}
	if s.bookmarks {
		waiting, cancel = context.WithTimeout(ctx, bookmarkEvery)
	}
	steps, err := cache.Steps(waiting, version)
	cancel()
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil { // nothing happened in that time
		return version, errors.Join(s.bookmark(version, nil), s.flush())
	}
	for i := range steps {
		if key := steps[i].New.Key; err == nil && find.Names(key) {
			if what, e := cache.Happened(&steps[i], &s.choice); e != nil {
				err = s.sendEntry(what, e, cache.Now())
			}
		}
		version = steps[i].New.Version
	}
	if err != nil {
		return version, err
	}
	return version, s.flush()
}

// sendEntry sends what happened to an object.
func (s *stream) sendEntry(what string, e *questions.Entry, now time.Time) error {
	if s.form != table {
		line, err := s.line(e)
		return errors.Join(err, s.send(what, line))
	}
	row := s.shape.Table(e.Key.Kind, []*questions.Entry{e}, now)
	row.Metadata.ResourceVersion = e.ResourceVersion()
	if s.described {
		row.Columns = nil
	}
	s.described = true
	return s.send(what, row)
}

// bookmark sends how far the watch is.
func (s *stream) bookmark(version uint64, annotations map[string]string) error {
	return s.send(questions.Bookmark, questions.Document{APIVersion: resources.APIVersion, Kind: s.kind.Name, Metadata: questions.Metadata{
		ResourceVersion: strconv.FormatUint(version, 10), Annotations: annotations,
	}})
}

func (s *stream) send(what string, object any) error {
	line, encoded := object.(json.RawMessage)
	var err error
	if !encoded {
		line, err = questions.Line(object)
	}
	fmt.Fprintf(s.out, `{"type":%q,"object":`, what)
	s.out.Write(line)
	s.out.WriteString("}\n")
	return err
}

// flush sends what was written. Who does not read it for long is not waited for.
func (s *stream) flush() error {
	err := s.conn.SetWriteDeadline(time.Now().Add(readPatience))
	return errors.Join(err, s.out.Flush(), s.conn.Flush())
}
