// SPDX-License-Identifier: MIT
//
// Writes a file in the directory that is given, with DataOutputStream, and
// reads, with DataInputStream, one that memvfs wrote there: the same values.
// tests/jdk_data.c is the other side of both.

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;

public class Data {
	static final String TEXT = "\0A\u00e9\u4e2d\ud83d\ude00";
	static final int INTS = 5000;
	static final int DOUBLES = 1000;

	static final short[] SHORTS = {
		Short.MIN_VALUE, -1, 0, 1, Short.MAX_VALUE
	};
	static final int[] INTEGERS = {
		Integer.MIN_VALUE, -1, 0, 1, Integer.MAX_VALUE, 0x01020304
	};
	static final long[] LONGS = {
		Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE, 0x0102030405060708L
	};
	// -0.0, the least, the largest, infinities, NaN with a payload
	static final int[] FLOATS = {
		0, 0x80000000, 1, 0x7f7fffff, 0x7f800000, 0xff800000,
		0x3fc00000, 0x7fc12345
	};
	static final long[] DOUBLE_BITS = {
		0, 0x8000000000000000L, 1, 0x7fefffffffffffffL,
		0x7ff0000000000000L, 0xfff0000000000000L, 0x3ff8000000000000L,
		0x7ff8000123456789L
	};

	static void write(DataOutputStream out) throws IOException {
		out.writeBoolean(true);
		out.writeBoolean(false);
		for (int b = -128; b < 128; b++)
			out.writeByte(b);
		for (short s : SHORTS)
			out.writeShort(s);
		out.writeChar(0);
		out.writeChar('A');
		out.writeChar(0xd800);
		out.writeChar(0xffff);
		for (int i : INTEGERS)
			out.writeInt(i);
		for (long l : LONGS)
			out.writeLong(l);
		for (int f : FLOATS)
			out.writeFloat(Float.intBitsToFloat(f));
		for (long d : DOUBLE_BITS)
			out.writeDouble(Double.longBitsToDouble(d));
		out.write(new byte[] { 1, 2, 3 });
		out.writeBytes("A\u00e9\u4e2d");
		out.writeChars(TEXT);
		out.writeUTF("");
		out.writeUTF("plain");
		out.writeUTF(TEXT);
		out.writeUTF("x".repeat(65535));
		out.writeUTF("\u4e2d".repeat(21845));
		for (int i = 0; i < INTS; i++)
			out.writeInt(i * 0x9e3779b1);
		for (int i = 0; i < DOUBLES; i++)
			out.writeDouble(i * 0.1);
		out.writeBytes("one\r\ntwo\rthr\u00e9e\n");
	}

	static int count;

	static void check(boolean right, String what) {
		count++;
		if (!right) {
			System.err.println("value " + count + ": " + what);
			System.exit(1);
		}
	}

	static void read(DataInputStream in) throws IOException {
		check(in.readBoolean(), "boolean");
		check(!in.readBoolean(), "boolean");
		for (int b = -128; b < 128; b++)
			check(b % 2 == 0 ? in.readByte() == b :
			      in.readUnsignedByte() == (b & 255), "byte");
		for (short s : SHORTS)
			check(in.readShort() == s, "short");
		check(in.readChar() == 0, "char");
		check(in.readChar() == 'A', "char");
		check(in.readUnsignedShort() == 0xd800, "unsigned short");
		check(in.readUnsignedShort() == 0xffff, "unsigned short");
		for (int i : INTEGERS)
			check(in.readInt() == i, "int");
		for (long l : LONGS)
			check(in.readLong() == l, "long");
		for (int f : FLOATS)
			check(Float.floatToRawIntBits(in.readFloat()) == f,
			      "float");
		for (long d : DOUBLE_BITS)
			check(Double.doubleToRawLongBits(in.readDouble()) == d,
			      "double");
		byte[] three = new byte[3];
		in.readFully(three);
		check(three[0] == 1 && three[1] == 2 && three[2] == 3, "bytes");
		in.readFully(three);
		check(three[0] == 'A' && three[1] == (byte) 0xe9 &&
		      three[2] == 0x2d, "low bytes");
		for (int i = 0; i < TEXT.length(); i++)
			check(in.readChar() == TEXT.charAt(i), "chars");
		check(in.readUTF().isEmpty(), "no text");
		check(in.readUTF().equals("plain"), "ASCII");
		check(in.readUTF().equals(TEXT), "text");
		check(in.readUTF().equals("x".repeat(65535)), "long ASCII");
		check(in.readUTF().equals("\u4e2d".repeat(21845)), "long text");
		for (int i = 0; i < INTS; i++)
			check(in.readInt() == i * 0x9e3779b1, "array of ints");
		for (int i = 0; i < DOUBLES; i++)
			check(in.readDouble() == i * 0.1, "array of doubles");
		readLines(in);
		for (int i = 0; i < INTS; i++)
			check(Integer.reverseBytes(in.readInt()) == i,
			      "little-endian");
		try {
			in.readByte();
			check(false, "there is no end");
		} catch (EOFException end) {
			check(true, "end");
		}
	}

	@SuppressWarnings("deprecation")
	static void readLines(DataInputStream in) throws IOException {
		check("one".equals(in.readLine()), "line");
		check("two".equals(in.readLine()), "line");
		check("thr\u00e9e".equals(in.readLine()), "line");
	}

	public static void main(String[] args) throws IOException {
		try (DataOutputStream out = new DataOutputStream(
				new BufferedOutputStream(new FileOutputStream(
					args[0] + "/from-java")))) {
			write(out);
		}
		try (DataInputStream in = new DataInputStream(
				new BufferedInputStream(new FileInputStream(
					args[0] + "/from-memvfs")))) {
			read(in);
		}
		System.out.println("java " + System.getProperty("java.version") +
				   ": " + count + " values read");
	}
}
