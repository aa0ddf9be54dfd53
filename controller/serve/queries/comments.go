package queries

import (
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/status"
)

// Remark is a comment on an object, as its description shows it.
type Remark struct {
	Name   string         `json:"name"`
	Time   resources.Time `json:"at,omitzero"`
	Author string         `json:"author"`
	Type   string         `json:"type"`
	State  string         `json:"state"` // sessions that received it and when, or the object that settled it
	Body   string         `json:"body"`
}

// remarksOn returns the newest comments on an object, oldest first, and the
// number of omitted ones.
func remarksOn(s *Source, key resources.Key) (remarks []Remark, more int) {
	for _, c := range s.CommentsNaming(key) {
		if resources.CommentAbout(c) != key {
			continue
		}
		st, _ := status.DeriveComment(c, s)
		kind := resources.CommentType(c)
		if c.Spec.Hold {
			kind += ", holds"
		}
		remarks = append(remarks, Remark{
			Name: c.Metadata.Name, Time: resources.NewTime(c.Created()), Author: admission.CommentAuthor(c, s), Type: kind, State: commentState(&st), Body: c.Spec.Body,
		})
	}
	more = max(0, len(remarks)-maxNeighbors)
	return remarks[more:], more
}

// commentState describes the state of a comment: its readers, its answers or its
// resolution.
func commentState(st *resources.CommentStatus) string {
	if st.Phase == resources.CommentResolved {
		return "resolved by " + st.SettledBy
	}
	var parts []string
	for _, t := range st.ToldTo {
		parts = append(parts, fmt.Sprintf("delivered to %s, turn %d", t.Session, t.Turn))
	}
	if len(st.AnsweredBy) > 0 {
		parts = append(parts, "answered by "+strings.Join(st.AnsweredBy, ", "))
	}
	if len(parts) == 0 {
		return "not delivered yet"
	}
	return strings.Join(parts, "; ")
}
