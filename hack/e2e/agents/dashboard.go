package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// dashboard is the page of idumb dash --web, as a person has it open.
type dashboard struct {
	s           *stage
	base, token string
}

// openDashboard opens it by the link that works once.
func (s *stage) openDashboard() *dashboard {
	base, once, _ := strings.Cut(strings.TrimSpace(s.idumb("dash", "--web", "--print-url")), "/#once=")
	p := &dashboard{s: s, base: base}
	var answer struct{ Token string }
	s.must(json.Unmarshal(p.ask(http.MethodPost, "/once", map[string]string{"once": once}), &answer))
	p.token = answer.Token
	return p
}

// act does on the page what its form sends; the object is as the person sees it now.
func (p *dashboard) act(action, object string, said map[string]string) {
	body := map[string]string{"object": object}
	for field, text := range said {
		body[field] = text
	}
	p.ask(http.MethodPost, "/actions/"+action, body)
}

func (p *dashboard) ask(method, path string, body any) []byte {
	data, err := json.Marshal(body)
	p.s.must(err)
	r, err := http.NewRequest(method, p.base+path, bytes.NewReader(data))
	p.s.must(err)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("Authorization", "Bearer "+p.token)
	answer, err := http.DefaultClient.Do(r)
	p.s.must(err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s: %s: %s", method, path, answer.Status, text)
	}
	p.s.must(err)
	return text
}
