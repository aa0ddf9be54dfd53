package queries

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// streamed is an answer with a part that is sent after its line of JSON. The part
// may be a long text, which would take longer to decode as JSON than the rest.
type streamed interface {
	// pack moves the part for sendTail out of the answer.
	pack()
	sendTail(w *bufio.Writer) // errors are kept in w
	receiveTail(r *bufio.Reader) error
}

// Send writes an answer: a line of JSON and the tail of a streamed answer. The answer must not be
// used afterwards.
func Send(w io.Writer, answer any) error {
	b := bufio.NewWriterSize(w, 32<<10)
	switch list := answer.(type) {
	case List:
		return list.send(b)
	case *List:
		return list.send(b)
	}
	behind, some := answer.(streamed)
	if some {
		behind.pack()
	}
	encoder := json.NewEncoder(b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(answer); err != nil {
		return err
	}
	if some {
		behind.sendTail(b)
	}
	return b.Flush()
}

// Receive decodes the output of Send into a pointer. The items of a List are
// read during iteration.
func Receive(r io.Reader, answer any) (err error) {
	if list, several := answer.(*List); several {
		*list, err = ReadList(r)
		return err
	}
	b := bufio.NewReaderSize(r, 64<<10)
	line, err := b.ReadBytes('\n')
	if err != nil {
		return err
	}
	if err := json.Unmarshal(line, answer); err != nil {
		return err
	}
	if behind, some := answer.(streamed); some {
		return behind.receiveTail(b)
	}
	return nil
}

// cellEnd terminates each encoded cell. It is invalid UTF-8, so no text
// contains it.
const cellEnd = 0xff

// pack moves the rows without an object out of the tables.
func (t *Tables) pack() {
	t.Packed, t.packed = make([]int, len(t.Tables)), make([][]Row, len(t.Tables))
	for i := range t.Tables {
		if rows := t.Tables[i].Rows; len(rows) > 0 && rows[0].Object == nil {
			t.Packed[i], t.packed[i], t.Tables[i].Rows = len(rows), rows, nil
		}
	}
}

// sendTail implements streamed: it writes the cells of the packed rows.
func (t *Tables) sendTail(w *bufio.Writer) {
	for i, rows := range t.packed {
		width := len(t.Tables[i].Columns)
		for _, row := range rows {
			for _, cell := range row.Cells[:width] {
				if strings.IndexByte(cell, cellEnd) >= 0 {
					cell = strings.ToValidUTF8(cell, "\ufffd")
				}
				w.WriteString(cell)
				w.WriteByte(cellEnd)
			}
		}
	}
}

// receiveTail implements streamed: it reads the cells of the packed rows.
func (t *Tables) receiveTail(r *bufio.Reader) error {
	var rest strings.Builder
	_, err := r.WriteTo(&rest)
	for i, text := 0, rest.String(); err == nil && i < len(t.Packed); i++ {
		text, err = t.receiveRows(i, text)
	}
	return err
}

// receiveRows decodes the cells of a table and returns the rest of the text.
func (t *Tables) receiveRows(i int, text string) (rest string, err error) {
	if i >= len(t.Tables) {
		return "", errors.New("the controller's answer has more rows than tables")
	}
	width, count := len(t.Tables[i].Columns), t.Packed[i]
	if count == 0 {
		return text, nil
	}
	cells, rows := make([]string, width*count), make([]Row, count)
	for c := range cells {
		end := strings.IndexByte(text, cellEnd)
		if end < 0 {
			return "", errors.New("the controller's answer has an end before its end")
		}
		cells[c], text = text[:end], text[end+1:]
	}
	for n := range rows {
		rows[n].Cells = cells[n*width : (n+1)*width]
	}
	t.Tables[i].Rows = rows
	return text, nil
}

// Text is an answer that is printed unchanged. Its producer determines the
// format.
type Text struct {
	Nothing bool         `json:"nothing,omitempty"` // the text is empty
	Length  int          `json:"length,omitempty"`  // length of Buffer in bytes
	Buffer  bytes.Buffer `json:"-"`
}

// pack implements streamed: it sets the length of the text.
func (t *Text) pack() { t.Length = t.Buffer.Len() }

// sendTail implements streamed: it writes the text.
func (t *Text) sendTail(w *bufio.Writer) { w.Write(t.Buffer.Bytes()) }

// receiveTail implements streamed: it reads the text.
func (t *Text) receiveTail(r *bufio.Reader) error {
	const most = 16 << 20 // maximum length that is allocated before it is received
	t.Buffer.Grow(min(max(t.Length, 0), most) + bytes.MinRead)
	_, err := t.Buffer.ReadFrom(r)
	return err
}
