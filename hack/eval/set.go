package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/packer/search"
)

// set is a set of questions about mems.
type set struct {
	name  string
	parts []*store // in file order
}

// store contains mems and the questions about them.
type store struct {
	documents []search.Document
	places    map[string]int // indexes by ID
	dates     []string       // dates of the documents, in the file's format
	newest    []int          // documents with the latest date first, then the last ones of the file
	questions []question
	memory
}

// memory is cached data about documents, for the next store of a history.
type memory struct {
	index   *search.Index             // index of the documents; nil until created
	counted map[string]map[string]int // words by ID and revision
}

// question is a question with its relevant documents.
type question struct {
	text     string
	category string
	relevant map[int]bool
}

// record is a line of a file:
//
//	{"set": "s", "mem": {...}}                            a mem of the store s
//	{"set": "s", "mems": [{...}, "a text", ...]}          several
//	{"set": "s", "question": "...", "relevant": ["id"]}   a question about s
//	{"question": "...", "relevant": [...], "mems": [...]} a question with a separate store
//
// Without "set" a line belongs to the store "". Questions may precede the mems. If a line has both
// a question and mems, and no set, its mems are a store for that question.
type record struct {
	Set      string   `json:"set"`
	Mem      *mem     `json:"mem"`
	Mems     []mem    `json:"mems"`
	Question string   `json:"question"`
	Relevant []textID `json:"relevant"`
	Answers  []textID `json:"relevant_ids"` // another name for relevant
	Category textID   `json:"category"`
}

// mem is one mem of a record: a text with its index in the store as ID, or an object. Field names
// are those of a mem's spec, or shorter. Mems are in the order of their creation.
type mem struct {
	ID         textID   `json:"id"`
	Title      string   `json:"title"`
	Text       string   `json:"text"`
	Content    string   `json:"content"`
	Tags       []string `json:"tags"`
	Cues       []string `json:"cues"`
	Symbols    []string `json:"symbols"`
	Globs      []string `json:"globs"`
	Paths      []string `json:"paths"`
	Origin     string   `json:"origin"`
	OriginTask string   `json:"originTask"`
	Session    textID   `json:"session"`
	Related    []string `json:"relatedTo"`
	Date       string   `json:"date"`
	Confidence *int     `json:"confidence"`
	Suspect    bool     `json:"suspect"`
}

func (m *mem) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, &m.Text)
	}
	type plain mem
	return json.Unmarshal(data, (*plain)(m))
}

// textID is an ID that may be encoded as a number.
type textID string

func (t *textID) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, (*string)(t))
	}
	*t = textID(bytes.TrimSpace(data))
	return nil
}

// readSet reads a file of records.
func readSet(file string) (*set, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("read a set of questions: %w", err)
	}
	defer f.Close()
	s := &set{name: strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))}
	if err := s.read(f); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return s, nil
}

func (s *set) read(r io.Reader) error {
	stores := map[string]*store{}
	var asked []record
	lines := bufio.NewReader(r)
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			var rec record
			if err := json.Unmarshal(line, &rec); err != nil {
				return fmt.Errorf("line %d is no record (see hack/eval/set.go): %w", number, err)
			}
			if rec.Question != "" && rec.Set == "" && len(rec.Mems) > 0 {
				rec.Set = "line " + strconv.Itoa(number)
			}
			if stores[rec.Set] == nil {
				stores[rec.Set] = &store{places: map[string]int{}}
				s.parts = append(s.parts, stores[rec.Set])
			}
			if rec.Mem != nil {
				rec.Mems = append(rec.Mems, *rec.Mem)
			}
			for i := range rec.Mems {
				stores[rec.Set].add(&rec.Mems[i])
			}
			if rec.Question != "" {
				asked = append(asked, rec)
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	for _, rec := range asked {
		if err := stores[rec.Set].ask(rec); err != nil {
			return err
		}
	}
	for _, p := range s.parts {
		p.finish()
	}
	return nil
}

// add adds a mem, or replaces the mem with the same ID.
func (s *store) add(m *mem) {
	id := string(m.ID)
	if id == "" {
		id = strconv.Itoa(len(s.documents))
	}
	text := strings.TrimSpace(m.Text + " " + m.Content)
	d := search.Document{
		ID: id, Title: m.Title, Text: text, Tags: m.Tags, Cues: m.Cues, Symbols: m.Symbols,
		Globs: m.Globs, Paths: m.Paths, Origin: m.origin(id), Related: m.Related, Confidence: 80, Suspect: m.Suspect,
	}
	if m.Confidence != nil {
		d.Confidence = *m.Confidence
	}
	if at, known := s.places[id]; known {
		s.documents[at], s.dates[at] = d, m.Date
		return
	}
	s.places[id] = len(s.documents)
	s.documents, s.dates = append(s.documents, d), append(s.dates, m.Date)
}

// origin returns the mem's origin: a field, otherwise the part of its ID before the last ':', as in
// D3:7 for the seventh mem of the third session.
func (m *mem) origin(id string) string {
	other := ""
	if at := strings.LastIndexByte(id, ':'); at > 0 {
		other = id[:at]
	}
	return cmp.Or(m.Origin, m.OriginTask, string(m.Session), other)
}

// ask adds a question. IDs without a mem count as never found.
func (s *store) ask(rec record) error {
	q := question{text: rec.Question, category: string(rec.Category), relevant: map[int]bool{}}
	rec.Relevant = append(rec.Relevant, rec.Answers...)
	if len(rec.Relevant) == 0 {
		return fmt.Errorf("the question %q has no relevant mems", rec.Question)
	}
	for i, id := range rec.Relevant {
		at, known := s.places[string(id)]
		if !known {
			at = -1 - i
		}
		q.relevant[at] = true
	}
	s.questions = append(s.questions, q)
	return nil
}

// askSet measures every ranker on a set, in all and by category.
func askSet(s *set) map[string]map[string]measures {
	results := map[string]map[string]measures{}
	for _, r := range rankers {
		sums := map[string]measures{}
		for _, part := range s.parts {
			if len(part.questions) == 0 {
				continue
			}
			rank, tokens := r.make(part), part.tokensOf()
			for _, q := range part.questions {
				ranked := rank(q.text, nil)
				for _, category := range []string{"", q.category} {
					sum := sums[category]
					sum.add(ranked, q.relevant, tokens)
					sums[category] = sum
					if q.category == "" {
						break
					}
				}
			}
		}
		results[r.name] = map[string]measures{}
		for category, sum := range sums {
			results[r.name][category] = sum.mean()
		}
	}
	return results
}
