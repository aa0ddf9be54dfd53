package serve

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/idumb-dev/idumb/controller/serve/questions"
)

// readPatience is how long what a watch sends may wait for its reader.
const readPatience = 30 * time.Second

// EventWriter sends the events of one watch, a line each.
type EventWriter struct {
	out  *bufio.Writer
	conn *http.ResponseController
}

// NewEventWriter begins an answer that is a watch. Flush sends its header.
func NewEventWriter(w http.ResponseWriter) *EventWriter {
	w.Header().Set("Content-Type", "application/json")
	return &EventWriter{bufio.NewWriterSize(w, 32<<10), http.NewResponseController(w)}
}

// Send writes what happened (questions.Added, ...) to an object, which may be encoded already.
func (s *EventWriter) Send(what string, object any) error {
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

// Flush sends what was written. Who does not read it for long is not waited for.
func (s *EventWriter) Flush() error {
	err := s.conn.SetWriteDeadline(time.Now().Add(readPatience))
	return errors.Join(err, s.out.Flush(), s.conn.Flush())
}
