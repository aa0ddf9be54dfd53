package beads

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/idumb-dev/idumb/resources/migrate"
)

// maxLine is the longest line that is read, in bytes. The longest known ones have some 20 kB.
const maxLine = 4 << 20

// read returns the issues in the order of the file, the last one of each id.
// What cannot be read is reported with its line, and the rest goes on.
func read(in io.Reader, r *Report) ([]*issue, error) {
	lines := bufio.NewReaderSize(in, 64<<10)
	var list []*issue
	at := map[string]int{} // by id
	for number := 1; ; number++ {
		line, err := nextLine(lines)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, errTooLong) {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		if i := take(line, number, err, r); i != nil {
			if before, known := at[i.id]; known {
				r.problem(number, i.id, fmt.Sprintf("the id was already on line %d; this one counts", list[before].line))
				if string(list[before].raw) != string(i.raw) {
					r.left = append(r.left, migrate.LeftRecord{At: fmt.Sprintf("line %d", list[before].line), Why: "a later line has its id", Value: list[before].raw})
				}
				list[before] = i
			} else {
				at[i.id] = len(list)
				list = append(list, i)
			}
		}
		if errors.Is(err, io.EOF) {
			return list, nil
		}
	}
}

// take decodes one line; nil for an empty one and for one that was reported.
func take(line []byte, number int, err error, r *Report) *issue {
	if number == 1 {
		line = bytes.TrimPrefix(line, []byte("\ufeff"))
	}
	if errors.Is(err, errTooLong) {
		r.Lines++
		r.problem(number, "", fmt.Sprintf("set aside: it is longer than %d bytes", maxLine))
		r.whole = "a line is too long"
		return nil
	}
	if line = bytes.TrimSpace(line); len(line) == 0 {
		return nil
	}
	r.Lines++
	if bytes.HasSuffix(line, []byte("},")) {
		line = bytes.TrimSuffix(line, []byte(",")) // of a list that was cut into lines
	}
	line, done := aside(line, number, r)
	if done {
		return nil
	}
	i, err := decode(line, number, r)
	if err != nil {
		r.problem(number, "", "set aside: "+err.Error())
		r.leave(number, "lines that are no issues", err.Error(), migrate.Text(string(line)))
		return nil
	}
	r.known = r.known || i.plausible
	if !utf8.Valid(line) {
		r.problem(number, i.id, "it is not valid UTF-8; the bad bytes were replaced")
		r.whole = "it is not valid UTF-8"
	}
	return i
}

var errTooLong = errors.New("line too long")

// nextLine reads up to the next newline, and skips what is beyond maxLine.
func nextLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	tooLong := false
	for {
		part, err := in.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(part) > maxLine; !tooLong {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case tooLong && err == nil:
			return nil, errTooLong
		}
		return line, err
	}
}
