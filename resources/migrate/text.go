package migrate

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
)

// Text8 returns a file as UTF-8 without a byte order mark. UTF-16, which the > of Windows PowerShell writes, is
// told by its mark; anything else is returned as it is.
func Text8(data []byte) []byte {
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return fromUTF16(data[2:], binary.LittleEndian)
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return fromUTF16(data[2:], binary.BigEndian)
	}
	return bytes.TrimPrefix(data, []byte("\ufeff"))
}

func fromUTF16(data []byte, order binary.ByteOrder) []byte {
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	return []byte(string(utf16.Decode(units)))
}
