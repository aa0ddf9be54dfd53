package questions

import (
	"bufio"
	"encoding/json"
	"io"
	"net/url"
)

// Question is something that can be asked.
type Question struct {
	Name string
	// Answer answers it from a source. What it returns is sent by Send.
	Answer func(s Source, parameters url.Values) (any, error)
}

// Named returns the question of that name.
func Named(name string) (Question, bool) {
	for _, q := range all {
		if q.Name == name {
			return q, true
		}
	}
	return Question{}, false
}

// Names of the questions.
const (
	AskTables   = "tables"
	AskObjects  = "objects"
	AskNext     = "next"
	AskRecall   = "recall"
	AskContext  = "context"
	AskDescribe = "describe"
)

// all is the one table of questions.
var all = [...]Question{
	{AskTables, answer(TablesOf)},
	{AskObjects, answer(ObjectsOf)},
	{AskNext, answer(NextOf)},
	{AskRecall, answer(RecallOf)},
	{AskContext, answer(ContextOf)},
	{AskDescribe, answer(DescribeOf)},
}

// answer forgets of which type a question's answer is.
func answer[A any](ask func(Source, url.Values) (A, error)) func(Source, url.Values) (any, error) {
	return func(s Source, v url.Values) (any, error) { return ask(s, v) }
}

// Send writes an answer as JSON.
func Send(w io.Writer, answer any) error {
	b := bufio.NewWriterSize(w, 32<<10)
	if list, several := answer.(List); several {
		return list.send(b)
	}
	encoder := json.NewEncoder(b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(answer); err != nil {
		return err
	}
	return b.Flush()
}
