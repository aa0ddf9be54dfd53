package questions

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// tailed is an answer of which a part is sent behind its line of JSON: text of which there
// may be much, and which reading as JSON would take longer than all the rest.
type tailed interface {
	// pack takes out of the answer what sendTail sends.
	pack()
	sendTail(w *bufio.Writer) // which keeps its errors
	receiveTail(r *bufio.Reader) error
}

// Send writes an answer: a line of JSON, and what of it is sent behind. It may be used up.
func Send(w io.Writer, answer any) error {
	b := bufio.NewWriterSize(w, 32<<10)
	switch list := answer.(type) {
	case List:
		return list.send(b)
	case *List:
		return list.send(b)
	}
	behind, some := answer.(tailed)
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

// Receive reads into a pointer what Send wrote. The items of a List are read as they are gone
// through.
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
	if behind, some := answer.(tailed); some {
		return behind.receiveTail(b)
	}
	return nil
}

// cellEnd ends each cell that is sent. No text can hold it: it is no UTF-8.
const cellEnd = 0xff

// pack takes out the rows that are nothing but cells.
func (t *Tables) pack() {
	t.Packed, t.packed = make([]int, len(t.Tables)), make([][]Row, len(t.Tables))
	for i := range t.Tables {
		if rows := t.Tables[i].Rows; len(rows) > 0 && rows[0].Object == nil {
			t.Packed[i], t.packed[i], t.Tables[i].Rows = len(rows), rows, nil
		}
	}
}

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

func (t *Tables) receiveTail(r *bufio.Reader) error {
	var rest strings.Builder
	_, err := r.WriteTo(&rest)
	for i, text := 0, rest.String(); err == nil && i < len(t.Packed); i++ {
		text, err = t.receiveRows(i, text)
	}
	return err
}

// receiveRows takes the cells of a table off the text and returns what is left.
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

// Text is an answer that is printed as it is: how it looks is decided where it is made.
type Text struct {
	Nothing bool         `json:"nothing,omitempty"` // there is nothing to show
	Length  int          `json:"length,omitempty"`  // of Out, in bytes
	Out     bytes.Buffer `json:"-"`
}

func (t *Text) pack() { t.Length = t.Out.Len() }

func (t *Text) sendTail(w *bufio.Writer) { w.Write(t.Out.Bytes()) }

func (t *Text) receiveTail(r *bufio.Reader) error {
	const most = 16 << 20 // that is believed before it is there
	t.Out.Grow(min(max(t.Length, 0), most) + bytes.MinRead)
	_, err := t.Out.ReadFrom(r)
	return err
}
