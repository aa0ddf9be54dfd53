package serve

import (
	"context"
	"io"
	"math"
	"net/http"
	"net/url"
	"strconv"

	"github.com/idumb-dev/idumb/controller/serve/queries"
)

// changesPath is the path of the stream of change notifications.
const changesPath = "/changes"

// FromNow makes Changes report changes from the time of the request on, instead
// of changes after the version of an answer.
const FromNow = math.MaxUint64

// changes sends a line each time that objects of any kind changed, starting at
// a version (resourceVersion; without it, the current one). Clients use it to
// repeat a question, not to get objects. The stream ends when changes since the
// last version are no longer available.
func (q *Questions) changes(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(q.ctx, cancel)()
	_, version := q.Cache().Entries(nil, nil, false)
	var err error
	if asked := r.URL.Query().Get("resourceVersion"); asked != "" {
		version, err = strconv.ParseUint(asked, 10, 64)
	}
	if err != nil {
		Fail(w, http.StatusBadRequest, "BadRequest", "resourceVersion must be the version of an earlier response: "+err.Error())
		return
	}
	s := NewEventWriter(w)
	for err = s.Flush(); err == nil; err = s.Flush() {
		steps, failed := q.Cache().Steps(ctx, version)
		if failed != nil || len(steps) == 0 {
			return
		}
		version = steps[len(steps)-1].New.Version
		if s.Send(queries.Modified, map[string]uint64{"version": version}) != nil {
			return
		}
	}
}

// Changes returns a stream with one line for one or more changes after a version. version comes
// from an answer of queries.AskDash, or is FromNow. The stream ends if the controller ends or
// cannot report changes; the caller must ask again. The caller must close the stream.
func (c *Client) Changes(ctx context.Context, version uint64) (io.ReadCloser, error) {
	v := url.Values{}
	if version != FromNow {
		v.Set("resourceVersion", strconv.FormatUint(version, 10))
	}
	return c.send(ctx, http.MethodGet, changesPath+"?"+v.Encode(), "application/json")
}
