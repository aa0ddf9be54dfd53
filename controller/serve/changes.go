package serve

import (
	"context"
	"io"
	"math"
	"net/http"
	"net/url"
	"strconv"

	"github.com/idumb-dev/idumb/controller/serve/questions"
)

// changesPath is where somebody waits for a change of anything.
const changesPath = "/changes"

// FromNow asks Changes for what comes after the controller heard of that, and not after an answer.
const FromNow = math.MaxUint64

// changes sends a line for each time that objects of whatever kinds changed, from a version on
// (resourceVersion; without one, from now on): for who asks a question again then, and not for the
// objects. It ends where that cannot be told: what happened since is not known any more.
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
		Fail(w, http.StatusBadRequest, "BadRequest", "resourceVersion is the one of an answer: "+err.Error())
		return
	}
	s := NewEventWriter(w)
	for err = s.Flush(); err == nil; err = s.Flush() {
		steps, failed := q.Cache().Steps(ctx, version)
		if failed != nil || len(steps) == 0 {
			return
		}
		version = steps[len(steps)-1].New.Version
		if s.Send(questions.Modified, map[string]uint64{"version": version}) != nil {
			return
		}
	}
}

// Changes waits for what changes after a version of the controller's, as an answer of
// questions.AskDash has it, or FromNow: the lines are each a change or several. Close it. An end
// says that the controller ends, or cannot tell: ask again.
func (c *Client) Changes(ctx context.Context, version uint64) (io.ReadCloser, error) {
	v := url.Values{}
	if version != FromNow {
		v.Set("resourceVersion", strconv.FormatUint(version, 10))
	}
	return c.send(ctx, http.MethodGet, changesPath+"?"+v.Encode(), "application/json")
}
