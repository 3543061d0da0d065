// SPDX-License-Identifier: MIT
// What the JDK takes for what memvfs does: best of many samples, in ns, one
// line each. Run by memvfs bench peers.

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;

class Peers {
    interface Work {
        void run() throws IOException;
    }

    static Object sink;

    /** The best of the samples of 5 ms and more, after a warm-up. */
    static double best(Work work) throws IOException {
        long end = System.nanoTime() + 1_500_000_000L, batch = 1;
        double best = Double.MAX_VALUE;

        while (System.nanoTime() < end) {
            long begin = System.nanoTime(), taken;
            for (long i = 0; i < batch; i++)
                work.run();
            taken = System.nanoTime() - begin;
            if (taken < 5_000_000L)
                batch *= 2;
            else
                best = Math.min(best, (double) taken / batch);
        }
        return best;
    }

    public static void main(String[] arguments) throws IOException {
        System.out.println("version " + System.getProperty("java.vm.name")
            + " " + System.getProperty("java.version"));
        int[] ints = new int[1024];
        for (int i = 0; i < ints.length; i++)
            ints[i] = i * 0x9E3779B9;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(4096);
        System.out.println("ints " + best(() -> {
            bytes.reset();
            DataOutputStream out = new DataOutputStream(bytes);
            for (int value : ints)
                out.writeInt(value);
            sink = bytes;
        }));
        for (int i = 0; i + 3 < arguments.length; i += 4) {
            Path path = Path.of(arguments[i]);
            Charset charset = Charset.forName(arguments[i + 1]);
            System.out.println("read " + arguments[i + 2] + " "
                + arguments[i + 3] + " "
                + best(() -> sink = Files.readString(path, charset)));
        }
    }
}
