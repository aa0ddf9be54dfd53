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

// readPatience is the timeout for a client to read the events of a watch.
const readPatience = 30 * time.Second

// EventWriter writes the events of one watch, one per line.
type EventWriter struct {
	out  *bufio.Writer
	conn *http.ResponseController
}

// NewEventWriter starts the response of a watch. Flush sends its header.
func NewEventWriter(w http.ResponseWriter) *EventWriter {
	w.Header().Set("Content-Type", "application/json")
	return &EventWriter{bufio.NewWriterSize(w, 32<<10), http.NewResponseController(w)}
}

// Send writes an event of a type (questions.Added, ...) with an object. The
// object may be a json.RawMessage.
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

// Flush sends the written events. It fails if the client does not read within
// readPatience.
func (s *EventWriter) Flush() error {
	err := s.conn.SetWriteDeadline(time.Now().Add(readPatience))
	return errors.Join(err, s.out.Flush(), s.conn.Flush())
}
