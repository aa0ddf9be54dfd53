package serve

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/idumb-dev/idumb/controller/serve/queries"
)

// readTimeout is the timeout for a client to read the events of a watch.
const readTimeout = 30 * time.Second

// EventWriter writes the events of one watch, one per line.
type EventWriter struct {
	writer *bufio.Writer
	conn   *http.ResponseController
}

// NewEventWriter starts the response of a watch. Flush sends its header.
func NewEventWriter(w http.ResponseWriter) *EventWriter {
	w.Header().Set("Content-Type", "application/json")
	return &EventWriter{bufio.NewWriterSize(w, 32<<10), http.NewResponseController(w)}
}

// Send writes an event of a type (queries.Added, ...) with an object. The
// object may be a json.RawMessage.
func (s *EventWriter) Send(what string, object any) error {
	line, encoded := object.(json.RawMessage)
	var err error
	if !encoded {
		line, err = queries.Line(object)
	}
	fmt.Fprintf(s.writer, `{"type":%q,"object":`, what)
	s.writer.Write(line)
	s.writer.WriteString("}\n")
	return err
}

// Flush sends the written events. It fails if the client does not read within
// readTimeout.
func (s *EventWriter) Flush() error {
	err := s.conn.SetWriteDeadline(time.Now().Add(readTimeout))
	return errors.Join(err, s.writer.Flush(), s.conn.Flush())
}
