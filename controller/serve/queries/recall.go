package queries

import (
	"net/url"
	"strconv"

	"github.com/idumb-dev/idumb/packer"
	"github.com/idumb-dev/idumb/packer/search"
	"github.com/idumb-dev/idumb/resources"
)

// Recalled is a mem that matches a recall query.
type Recalled struct {
	Name       string   `json:"name"`
	Type       string   `json:"type"`
	Title      string   `json:"title,omitempty"`
	Content    string   `json:"content"`
	Phase      string   `json:"phase"`
	Confidence int      `json:"confidence"`
	Score      int64    `json:"score"`
	Terms      []Term   `json:"terms,omitempty"`
	Named      []string `json:"named,omitempty"`
	Suspect    []string `json:"suspect,omitempty"`
	Head       string   `json:"head,omitempty"`
	Reason     string   `json:"why"`
}

// Term is a matching word.
type Term struct {
	Term     string `json:"term"`
	Points   int64  `json:"points"`
	Feedback bool   `json:"feedback,omitempty"`
}

// RecallValues returns the parameters of a recall query.
func RecallValues(q packer.Question) url.Values {
	v := url.Values{"text": {q.Text}, "path": q.Paths, "type": {q.Type}, "shelf": {q.Shelf}, "tag": q.Tags, "limit": {strconv.Itoa(q.Most)}}
	if q.History {
		v.Set("history", "true")
	}
	return v
}

// RecallOf returns the mems that match a query, best first.
func RecallOf(s *Source, v url.Values) ([]Recalled, error) {
	most, err := strconv.Atoi(v.Get("limit"))
	if err != nil {
		return nil, err
	}
	found := packer.Recall(s, s.Stock, packer.Question{
		Text: v.Get("text"), Paths: v["path"], Type: v.Get("type"), Shelf: v.Get("shelf"), Tags: v["tag"], History: v.Has("history"), Most: most,
	})
	answers := make([]Recalled, 0, len(found))
	for i := range found {
		r := &found[i]
		a := Recalled{
			Name: r.Object.Metadata.Name, Type: resources.MemType(r.Object), Title: r.Object.Spec.Title, Content: r.Object.Spec.Content,
			Phase: r.Status.Phase, Confidence: r.Status.Confidence, Score: search.Points(r.Hit.Score), Named: r.Hit.Named, Suspect: r.Status.Suspect, Head: r.Status.Head, Reason: r.Why(),
		}
		for _, t := range r.Hit.Terms {
			a.Terms = append(a.Terms, Term{t.Term, search.Points(t.Weight), t.Feedback})
		}
		answers = append(answers, a)
	}
	return answers, nil
}
